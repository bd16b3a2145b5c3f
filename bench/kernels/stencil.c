/*
 * The sweeps of heat2d and obstacle3d in C, for comparison: the same sums in the same order.
 *
 *   stencil KIND N THREADS WARM SWEEPS PAGES
 *
 * KIND is heat5 (N x N, u = 1 on the side y = 1), jacobi7 or projected7 (N x N x N; u = 1 on the lowest plane, or the
 * membrane of obstacle3d), or triad (N * N elements). Prints million updates a second and the sum of the final values; for
 * triad GB/s, counted as STREAM does (24 bytes for each element). SWEEPS must be at least 8. PAGES is
 * plain (what the system gives) or huge (asked for, as the JVM of a worker does).
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

typedef struct {
    const char *kind;
    long n;
    int threads, warm, sweeps;
    double keep, step, source, obstacle, third;
} job;

static job j;
static double *from_all, *to_all, *extra;
static atomic_int arrived;
static atomic_int phase;
/* The fastest stretch of WINDOW sweeps counts: whatever else the machine does only makes one slower. */
enum { WINDOW = 8 };
static double started, fastest;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void barrier(void) {
    int p = atomic_load(&phase);
    if (atomic_fetch_add(&arrived, 1) == j.threads - 1) {
        atomic_store(&arrived, 0);
        atomic_store(&phase, p + 1);
    } else {
        while (atomic_load(&phase) == p) {
        }
    }
}

static void heat5(const double *restrict from, double *restrict to, long lo, long hi) {
    long n = j.n, s = n + 2;
    for (long y = lo + 1; y <= hi; y++) {
        const double *u = from + y * s + 1;
        double *v = to + y * s + 1;
        for (long x = 0; x < n; x++) {
            v[x] = 0.25 * (u[x - s] + u[x - 1] + u[x + 1] + u[x + s]);
        }
    }
}

static void jacobi7(const double *restrict from, double *restrict to, long lo, long hi) {
    long n = j.n, s = n + 2, p = s * s;
    for (long z = lo + 1; z <= hi; z++) {
        for (long y = 1; y <= n; y++) {
            const double *u = from + z * p + y * s + 1;
            double *v = to + z * p + y * s + 1;
            for (long x = 0; x < n; x++) {
                v[x] = (1.0 / 6) * (u[x - p] + u[x - s] + u[x - 1] + u[x + 1] + u[x + s] + u[x + p]);
            }
        }
    }
}

static void projected7(const double *restrict from, double *restrict to, long lo, long hi) {
    long n = j.n, s = n + 2, p = s * s;
    double keep = j.keep, step = j.step, source = j.source, bound = j.obstacle;
    for (long z = lo + 1; z <= hi; z++) {
        for (long y = 1; y <= n; y++) {
            const double *u = from + z * p + y * s + 1;
            double *v = to + z * p + y * s + 1;
            for (long x = 0; x < n; x++) {
                double sum = u[x - p] + u[x - s] + u[x - 1] + u[x + 1] + u[x + s] + u[x + p];
                double free = keep * u[x] + step * (sum + source);
                v[x] = free < bound ? bound : free;
            }
        }
    }
}

static void triad(const double *restrict b, double *restrict a, const double *restrict c, long lo, long hi) {
    double third = j.third;
    for (long i = lo; i < hi; i++) {
        a[i] = b[i] + third * c[i];
    }
}

static double *zeros(size_t bytes, int in_huge_pages) {
    size_t huge = 1 << 21;
    double *values = aligned_alloc(huge, (bytes + huge - 1) / huge * huge);
    if (values == NULL) {
        fprintf(stderr, "stencil: no memory for an array of %zu bytes\n", bytes);
        exit(1);
    }
    if (in_huge_pages) {
        madvise(values, bytes, MADV_HUGEPAGE);
    }
    memset(values, 0, bytes);
    return values;
}

static void mark(int ends_window) {
    double t = now();
    if (ends_window && (fastest == 0 || t - started < fastest)) {
        fastest = t - started;
    }
    started = t;
}

static void *run(void *argument) {
    long id = (long) argument;
    int is_triad = strcmp(j.kind, "triad") == 0;
    long length = is_triad ? j.n * j.n : j.n;
    long lo = length * id / j.threads, hi = length * (id + 1) / j.threads;
    double *from = from_all, *to = to_all;
    for (int i = 0; i < j.warm + j.sweeps; i++) {
        if (id == 0 && i >= j.warm && (i - j.warm) % WINDOW == 0) {
            mark(i > j.warm);
        }
        if (is_triad) {
            triad(from, to, extra, lo, hi);
        } else if (strcmp(j.kind, "heat5") == 0) {
            heat5(from, to, lo, hi);
        } else if (strcmp(j.kind, "jacobi7") == 0) {
            jacobi7(from, to, lo, hi);
        } else {
            projected7(from, to, lo, hi);
        }
        double *t = from;
        from = to;
        to = t;
        barrier();
    }
    if (id == 0 && j.sweeps % WINDOW == 0) {
        mark(1);
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 7) {
        fprintf(stderr, "usage: stencil heat5|jacobi7|projected7|triad N THREADS WARM SWEEPS plain|huge\n");
        return 2;
    }
    j.kind = argv[1];
    j.n = atol(argv[2]);
    j.threads = atoi(argv[3]);
    j.warm = atoi(argv[4]);
    j.sweeps = atoi(argv[5]);
    int in_huge_pages = strcmp(argv[6], "huge") == 0;
    double h = 1.0 / (j.n + 1);
    j.step = 1.0 / 6;
    j.keep = 1 - 6 * j.step;
    j.source = h * h * -20;
    j.obstacle = -0.3;
    j.third = 1.0 / 3;
    if (j.n < 1 || j.threads < 1 || j.threads > 64 || j.sweeps < WINDOW) {
        fprintf(stderr, "stencil: N and THREADS (at most 64) must be positive, SWEEPS at least %d\n", WINDOW);
        return 2;
    }
    int solid = strcmp(j.kind, "jacobi7") == 0 || strcmp(j.kind, "projected7") == 0;
    long s = j.n + 2;
    long elements = solid ? s * s * s : s * s;
    size_t bytes = elements * sizeof(double);
    from_all = zeros(bytes, in_huge_pages);
    to_all = zeros(bytes, in_huge_pages);
    extra = strcmp(j.kind, "triad") == 0 ? zeros(bytes, in_huge_pages) : from_all;
    if (strcmp(j.kind, "heat5") == 0) {
        for (long x = 1; x <= j.n; x++) {
            from_all[(j.n + 1) * s + x] = to_all[(j.n + 1) * s + x] = 1;
        }
    } else if (strcmp(j.kind, "jacobi7") == 0) {
        for (long y = 1; y <= j.n; y++) {
            for (long x = 1; x <= j.n; x++) {
                from_all[y * s + x] = to_all[y * s + x] = 1;
            }
        }
    }
    pthread_t workers[64];
    for (long id = 1; id < j.threads; id++) {
        pthread_create(&workers[id], NULL, run, (void *) id);
    }
    run((void *) 0);
    for (int id = 1; id < j.threads; id++) {
        pthread_join(workers[id], NULL);
    }
    if (strcmp(j.kind, "triad") == 0) {
        printf("%.3f 0\n", 24e-9 * j.n * j.n * WINDOW / fastest);
        return 0;
    }
    double *result = (j.warm + j.sweeps) % 2 == 0 ? from_all : to_all;
    double sum = 0;
    for (long z = 1; z <= (solid ? j.n : 1); z++) {
        for (long y = 1; y <= j.n; y++) {
            double row = 0;
            for (long x = 1; x <= j.n; x++) {
                row += result[(solid ? z * s * s : 0) + y * s + x];
            }
            sum += row;
        }
    }
    double points = (double) j.n * j.n * (solid ? j.n : 1);
    printf("%.3f %.17g\n", 1e-6 * points * WINDOW / fastest, sum);
    return 0;
}
