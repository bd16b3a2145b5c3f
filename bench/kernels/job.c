/*
 * A whole job in C and MPI, for comparison with a whole job of Volary: projected Jacobi on the membrane of obstacle3d,
 * N x N x N points, each rank with a slab of planes. The ranks exchange the planes at their borders, then make SWEEPS sweeps on
 * them, and so on.
 *
 *   mpirun -n RANKS job N SECONDS SWEEPS PAGES
 *
 * Several sweeps pass through the caches together: sweep s works one plane behind sweep s - 1. PAGES is plain (what the system
 * gives) or huge (asked for, as the JVM of a worker does). Prints million updates a second of the last nine tenths of SECONDS,
 * which are at least 1, and the number of exchanges and the sum of the values after all.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BATCH = 16 }; /* exchanges between looks at the clock */

static void sweep(const double *restrict from, double *restrict to, long n, double keep, double step, double source,
                  double bound) {
    long s = n + 2, p = s * s;
    for (long y = 1; y <= n; y++) {
        const double *u = from + y * s + 1;
        double *v = to + y * s + 1;
        for (long x = 0; x < n; x++) {
            double sum = u[x - p] + u[x - s] + u[x - 1] + u[x + 1] + u[x + s] + u[x + p];
            double free = keep * u[x] + step * (sum + source);
            v[x] = free < bound ? bound : free;
        }
    }
}

static double *zeros(size_t bytes, int in_huge_pages) {
    size_t huge = 1 << 21;
    double *values = aligned_alloc(huge, (bytes + huge - 1) / huge * huge);
    if (values == NULL) {
        fprintf(stderr, "job: no memory for an array of %zu bytes\n", bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (in_huge_pages) {
        madvise(values, bytes, MADV_HUGEPAGE);
    }
    memset(values, 0, bytes);
    return values;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    long n = argc == 5 ? atol(argv[1]) : 0;
    double seconds = argc == 5 ? atof(argv[2]) : 0;
    long sweeps = argc == 5 ? atol(argv[3]) : 0;
    if (n < ranks || seconds < 1 || sweeps < 1) {
        fprintf(stderr, "usage: mpirun -n RANKS job N SECONDS SWEEPS plain|huge\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    long lo = n * rank / ranks, hi = n * (rank + 1) / ranks, planes = hi - lo;
    long s = n + 2, p = s * s;
    double h = 1.0 / (n + 1), step = 1.0 / 6, keep = 1 - 6 * step, source = h * h * -20, bound = -0.3;
    double *arrays[2];
    for (int i = 0; i < 2; i++) {
        arrays[i] = zeros((planes + 2) * p * sizeof(double), strcmp(argv[4], "huge") == 0);
    }
    int below = rank > 0 ? rank - 1 : MPI_PROC_NULL, above = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    int now = 0, over = 0;
    long exchanges = 0, counted = 0;
    double start = MPI_Wtime(), from = 0, end = 0;
    while (!over) {
        for (int i = 0; i < BATCH; i++) {
            double *u = arrays[now];
            MPI_Sendrecv(u + p, p, MPI_DOUBLE, below, 0, u + (planes + 1) * p, p, MPI_DOUBLE, above, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            MPI_Sendrecv(u + planes * p, p, MPI_DOUBLE, above, 1, u, p, MPI_DOUBLE, below, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            if (sweeps > 1) {
                memcpy(arrays[1 - now], u, p * sizeof(double));
                memcpy(arrays[1 - now] + (planes + 1) * p, u + (planes + 1) * p, p * sizeof(double));
            }
            for (long front = 1; front < planes + sweeps; front++) {
                for (long k = 0; k < sweeps; k++) {
                    long z = front - k;
                    if (z >= 1 && z <= planes) {
                        int source_array = (now + k) & 1;
                        sweep(arrays[source_array] + z * p, arrays[1 - source_array] + z * p, n, keep, step, source,
                              bound);
                    }
                }
            }
            now = (now + sweeps) & 1;
        }
        exchanges += BATCH;
        if (from > 0) {
            counted += BATCH;
        }
        end = MPI_Wtime();
        if (from == 0 && end - start > 0.1 * seconds) {
            from = end;
        }
        over = counted > 0 && end - start > seconds;
        MPI_Bcast(&over, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    double own = 0, sum = 0;
    for (long z = 1; z <= planes; z++) {
        for (long y = 1; y <= n; y++) {
            for (long x = 1; x <= n; x++) {
                own += arrays[now][z * p + y * s + x];
            }
        }
    }
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%.3f %ld %.17g\n", 1e-6 * n * n * n * sweeps * counted / (end - from), exchanges, sum);
    }
    MPI_Finalize();
    return 0;
}
