/*
 * The membrane of obstacle3d in C and MPI: u >= -0.3 in the unit cube, -Laplace u >= -20, with equality in one of them at every
 * point, u = 0 on the boundary, N x N x N points, each rank with a slab of planes.
 *
 *   mpirun -n RANKS obstacle METHOD N TOLERANCE [FILE SECONDS]
 *
 * METHOD is jacobi, projected point Jacobi as in the relaxation of obstacle3d, or a relaxation factor between 1 and 2: projected
 * red-black SOR. The iteration ends when min(-Laplace u + 20, 6 (u + 0.3) / h^2) is at most TOLERANCE * 20 in the maximum norm;
 * that is looked at every CHECK sweeps.
 *
 * With a FILE the ranks save their values in FILE.RANK every SECONDS, durably, and start from there if all have the same one.
 * Two files for each rank take turns, so that a crash during a save leaves the one before.
 *
 * Prints one line of JSON: sweeps since the start from zero, sweeps of this process, the residual, and the seconds of set-up
 * and of the solve.
 */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHECK = 10 };

static const double LOAD = -20, OBSTACLE = -0.3;

static int rank, ranks, below, above;
static long n, s, p, planes, first_plane; /* first_plane is the plane before the slab in the cube */

static void fail(const char *what) {
    fprintf(stderr, "obstacle: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* In huge pages, as the values of a worker are. */
static double *zeros(void) {
    size_t huge = 1 << 21, bytes = ((planes + 2) * p * sizeof(double) + huge - 1) / huge * huge;
    double *values = aligned_alloc(huge, bytes);
    if (values == NULL) {
        fail("no memory");
    }
    madvise(values, bytes, MADV_HUGEPAGE);
    memset(values, 0, bytes);
    return values;
}

static void exchange(double *u) {
    MPI_Sendrecv(u + p, p, MPI_DOUBLE, below, 0, u + (planes + 1) * p, p, MPI_DOUBLE, above, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(u + planes * p, p, MPI_DOUBLE, above, 1, u, p, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void jacobi(const double *restrict from, double *restrict to, double source) {
    for (long z = 1; z <= planes; z++) {
        for (long y = 1; y <= n; y++) {
            const double *u = from + z * p + y * s + 1;
            double *v = to + z * p + y * s + 1;
            for (long x = 0; x < n; x++) {
                double free = (u[x - p] + u[x - s] + u[x - 1] + u[x + 1] + u[x + s] + u[x + p] + source) * (1.0 / 6);
                v[x] = free < OBSTACLE ? OBSTACLE : free;
            }
        }
    }
}

static void half_sweep(double *u, double source, double omega, int color) {
    double keep = 1 - omega, step = omega / 6;
    for (long z = 1; z <= planes; z++) {
        for (long y = 1; y <= n; y++) {
            double *v = u + z * p + y * s;
            for (long x = 1 + ((1 + first_plane + z + y + color) & 1); x <= n; x += 2) {
                double free = keep * v[x]
                              + step * (v[x - p] + v[x - s] + v[x - 1] + v[x + 1] + v[x + s] + v[x + p] + source);
                v[x] = free < OBSTACLE ? OBSTACLE : free;
            }
        }
    }
}

/* The halos of u must be new. */
static double natural_residual(const double *u) {
    double square = 1.0 / ((double)(n + 1) * (n + 1)), own = 0, all;
    for (long z = 1; z <= planes; z++) {
        for (long y = 1; y <= n; y++) {
            const double *v = u + z * p + y * s;
            for (long x = 1; x <= n; x++) {
                double sum = v[x - p] + v[x - s] + v[x - 1] + v[x + 1] + v[x + s] + v[x + p];
                double equation = (6 * v[x] - sum) / square - LOAD, contact = 6 * (v[x] - OBSTACLE) / square;
                double r = fabs(equation < contact ? equation : contact);
                own = r > own ? r : own;
            }
        }
    }
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static void name_of(char *name, const char *file, long save) {
    snprintf(name, 4096, "%s.%d.%ld", file, rank, save % 2);
}

static void save(const char *file, long number, long sweeps, const double *u) {
    char name[4096];
    name_of(name, file, number);
    int out = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    size_t bytes = (planes + 2) * p * sizeof(double), done = 0;
    while (out >= 0 && done < bytes) {
        ssize_t some = write(out, (const char *)u + done, bytes - done);
        if (some <= 0) {
            fail("a checkpoint cannot be written");
        }
        done += some;
    }
    /* The number of sweeps comes last: a file without it is not complete. */
    if (out < 0 || write(out, &sweeps, sizeof sweeps) != sizeof sweeps || fsync(out) != 0 || close(out) != 0) {
        fail("a checkpoint cannot be written");
    }
}

/* Sweeps in a checkpoint, or 0 if it is absent or not complete. */
static long sweeps_of(const char *file, long number, double *u) {
    char name[4096];
    name_of(name, file, number);
    FILE *in = fopen(name, "rb");
    long sweeps = 0;
    if (in != NULL) {
        if (fread(u, sizeof(double), (planes + 2) * p, in) != (size_t)((planes + 2) * p)
            || fread(&sweeps, sizeof sweeps, 1, in) != 1) {
            sweeps = 0;
        }
        fclose(in);
    }
    return sweeps;
}

/* Reads the newest checkpoint that all ranks have; returns its sweeps, or 0 with values of zero. */
static long restore(const char *file, double *u, long *saves) {
    long newest = 0, chosen = -1;
    for (long number = 0; number < 2; number++) {
        long own = sweeps_of(file, number, u), low, high;
        MPI_Allreduce(&own, &low, 1, MPI_LONG, MPI_MIN, MPI_COMM_WORLD);
        MPI_Allreduce(&own, &high, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
        if (low == high && low > newest) {
            newest = low;
            chosen = number;
        }
    }
    if (chosen < 0) {
        memset(u, 0, (planes + 2) * p * sizeof(double));
    } else {
        sweeps_of(file, chosen, u);
        *saves = chosen + 1;
    }
    return newest;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double begin = MPI_Wtime();
    int is_jacobi = argc > 1 && strcmp(argv[1], "jacobi") == 0;
    double omega = argc > 1 && !is_jacobi ? atof(argv[1]) : 1, tolerance = argc > 3 ? atof(argv[3]) : 0;
    const char *file = argc > 4 ? argv[4] : NULL;
    double every = argc > 5 ? atof(argv[5]) : 0;
    n = argc > 2 ? atol(argv[2]) : 0;
    if (n < ranks || omega < 1 || omega >= 2 || tolerance <= 0 || (file != NULL && every <= 0)) {
        fail("usage: mpirun -n RANKS obstacle jacobi|OMEGA N TOLERANCE [FILE SECONDS]");
    }
    first_plane = n * rank / ranks;
    planes = n * (rank + 1) / ranks - first_plane;
    s = n + 2;
    p = s * s;
    below = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    above = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    double source = LOAD / ((double)(n + 1) * (n + 1)), residual = HUGE_VAL;
    double *u = zeros(), *v = is_jacobi ? zeros() : NULL;
    long saves = 0, restored = file == NULL ? 0 : restore(file, u, &saves), sweeps = restored;
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(), saved = start;
    while (residual > tolerance * fabs(LOAD)) {
        for (int i = 0; i < CHECK; i++, sweeps++) {
            exchange(u);
            if (is_jacobi) {
                jacobi(u, v, source);
                double *old = u;
                u = v;
                v = old;
            } else {
                half_sweep(u, source, omega, 0);
                exchange(u);
                half_sweep(u, source, omega, 1);
            }
        }
        exchange(u);
        residual = natural_residual(u);
        if (!isfinite(residual)) {
            fail("the iteration diverges");
        }
        int due = file != NULL && MPI_Wtime() - saved > every;
        MPI_Bcast(&due, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (due) {
            save(file, saves++, sweeps, u);
            /* No rank overwrites the save before until all have this one. */
            MPI_Barrier(MPI_COMM_WORLD);
            saved = MPI_Wtime();
        }
    }
    double end = MPI_Wtime();
    if (rank == 0) {
        printf("{\"converged\":true,\"iterations\":%ld,\"own\":%ld,\"residual\":%.6e,\"setup_s\":%.6f,\"solve_s\":%.6f}\n",
               sweeps, sweeps - restored, residual / fabs(LOAD), start - begin, end - start);
    }
    MPI_Finalize();
    return 0;
}
