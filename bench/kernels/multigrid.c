/*
 * One round of multigrid in C, for comparison: a block that is the whole cube, on one level, and the coarse problem. The same
 * updates in the same order as dev.volary.solvers.multigrid, for -Laplace u = 1 or, with an obstacle,
 * min(-Laplace u + 1, u - phi) = 0 for phi = -0.02.
 *
 *   multigrid N plain|obstacle unfused|fused WARM ROUNDS plain|huge
 *
 * N + 1 must be a power of two, at least 8. Prints the medians of a round, of the block's part and of the coarse problem's in
 * milliseconds of processor time, and the residual of the last round. "fused" passes the finest level through the caches once.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum {
    LEVELS = 16,
    COARSEST_SWEEPS = 20,
    FIXING_WEIGHT = 9,
    WHOLE_WEIGHT = 64,
    REACH = 2,      /* coarse points on both sides of the boundary of contact */
    FINE_NEAR = 3,  /* sweeps there, on the finest level and on the others */
    COARSE_NEAR = 2,
    TILES = 64
};

static const double OMEGA_NEAR = 1.75;

typedef struct {
    long n, s, p;
    double center, link; /* of the operator: 6 / h^2 and 1 / h^2 */
    double omega;
    double *u, *f, *c, *lower;
    unsigned char *fixed;
    double *line, *residual, *plane;           /* scratch, for transfers to the next level */
    unsigned char *active_line, *active_plane, *weight; /* the same for the weights of points in contact */
    /* a bit for each tile of columns, by pair of planes and pair of rows: boundary, tiles within reach, in contact, that may move */
    unsigned long *crossed, *spread, *near, *whole, *open;
    unsigned char *pulled; /* pairs with a point that its residual pulls off the obstacle */
    int shift;                              /* a tile has 2^shift columns */
} level;

static level levels[LEVELS];
static int count, in_huge_pages, has_obstacle;
static double source, *map, *message;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec;
}

static void *zeros(size_t bytes) {
    size_t huge = 1 << 21, whole = bytes > huge ? (bytes + huge - 1) / huge * huge : (bytes + 63) / 64 * 64;
    void *values = aligned_alloc(bytes > huge ? huge : 64, whole);
    if (values == NULL) {
        fprintf(stderr, "multigrid: no memory for an array of %zu bytes\n", bytes);
        exit(1);
    }
    if (in_huge_pages && bytes > huge) {
        madvise(values, whole, MADV_HUGEPAGE);
    }
    memset(values, 0, whole);
    return values;
}

static void relax_part(level *l, long z, long y, int color, long from, long last, double omega) {
    long s = l->s, p = l->p;
    double keep = 1 - omega, scale = omega / l->center, link = l->link;
    double *u = l->u + z * p + y * s;
    const double *f = l->f ? l->f + z * p + y * s : NULL;
    const double *lower = has_obstacle ? l->lower + z * p + y * s : NULL;
    const unsigned char *fixed = l->fixed + z * p + y * s;
    long first = from + ((from + y + z + color) & 1);
    if (!has_obstacle && f == NULL) {
        double f0 = source;
        for (long x = first; x <= last; x += 2) {
            double sum = u[x - p] + u[x - s] + u[x - 1] + u[x + 1] + u[x + s] + u[x + p];
            u[x] = keep * u[x] + scale * (link * sum + f0);
        }
    } else if (!has_obstacle) {
        for (long x = first; x <= last; x += 2) {
            double sum = u[x - p] + u[x - s] + u[x - 1] + u[x + 1] + u[x + s] + u[x + p];
            u[x] = keep * u[x] + scale * (link * sum + f[x]);
        }
    } else {
        for (long x = first; x <= last; x += 2) {
            double sum = u[x - p] + u[x - s] + u[x - 1] + u[x + 1] + u[x + s] + u[x + p];
            double free = keep * u[x] + scale * (link * sum + (f ? f[x] : source));
            double above = free < lower[x] ? lower[x] : free;
            u[x] = fixed[x] ? u[x] : above;
        }
    }
}

static void relax_tiles(level *l, long z, long y, int color, unsigned long tiles, double omega) {
    for (int begin = 0; begin < TILES && tiles >> begin != 0;) {
        begin += __builtin_ctzl(tiles >> begin);
        unsigned long others = ~(tiles >> begin);
        int end = others == 0 ? TILES : begin + __builtin_ctzl(others);
        long from = (long) begin << l->shift, last = ((long) end << l->shift) - 1;
        relax_part(l, z, y, color, from < 1 ? 1 : from, last > l->n ? l->n : last, omega);
        begin = end;
    }
}

/* What may move: points in contact away from its boundary do not, unless they are pulled off the obstacle. */
static void relax_plane(level *l, long z, int color) {
    long rows = l->n / 2 + 1;
    for (long y = 1; y <= l->n; y++) {
        if (l->open == NULL) {
            relax_part(l, z, y, color, 1, l->n, l->omega);
        } else {
            relax_tiles(l, z, y, color, l->open[z / 2 * rows + y / 2], l->omega);
        }
    }
}

/* The same near the boundary of contact only. */
static void relax_near_plane(level *l, long z, int color) {
    long rows = l->n / 2 + 1;
    for (long y = 1; y <= l->n; y++) {
        relax_tiles(l, z, y, color, l->near[z / 2 * rows + y / 2], OMEGA_NEAR);
    }
}

static unsigned long tile(const level *l, long column) {
    return column < 0 || column >> l->shift >= TILES ? 0 : 1ul << (column >> l->shift);
}

static void spread(const unsigned long *from, unsigned long *to, long stride, long rows) {
    for (long k = 0; k < rows; k++) {
        unsigned long tiles = 0;
        for (long j = k < REACH ? 0 : k - REACH; j < rows && j <= k + REACH; j++) {
            tiles |= from[j * stride];
        }
        to[k * stride] = tiles;
    }
}

/* The tiles within reach of coarse points of whose stencil a part is in contact. */
static void find_boundary(level *l) {
    const level *coarse = l + 1;
    long rows = l->n / 2 + 1;
    memset(l->crossed, 0, rows * rows * sizeof(unsigned long));
    memset(l->whole, 0, rows * rows * sizeof(unsigned long));
    for (long z = 1; z <= coarse->n; z++) {
        for (long y = 1; y <= coarse->n; y++) {
            const unsigned char *weight = l->weight + z * coarse->p + y * coarse->s;
            unsigned long tiles = 0, whole = 0;
            for (long x = 1; x <= coarse->n; x++) {
                if (weight[x] == WHOLE_WEIGHT) {
                    whole |= tile(l, 2 * x);
                } else if (weight[x] > 0) {
                    tiles |= tile(l, 2 * x - 2 * REACH) | tile(l, 2 * x + 2 * REACH);
                }
            }
            l->crossed[z * rows + y] = tiles;
            l->whole[z * rows + y] = whole;
        }
    }
    for (long z = 0; z < rows; z++) {
        spread(l->crossed + z * rows, l->spread + z * rows, 1, rows);
    }
    for (long y = 0; y < rows; y++) {
        spread(l->spread + y, l->near + y, rows, rows);
    }
    for (long pair = 0; pair < rows * rows; pair++) {
        l->open[pair] = l->pulled[pair] ? ~0ul : ~l->whole[pair] | l->near[pair];
    }
    memset(l->pulled, 0, rows * rows);
}

/* The correction of the next level at fine plane z and row y, along a coarse row. */
static void interpolate_line(const level *l, const level *coarse, long z, long y) {
    long s = coarse->s, p = coarse->p;
    const double *a = coarse->c + (z / 2) * p + (y / 2) * s;
    double *line = l->line;
    if (z % 2 == 0 && y % 2 == 0) {
        memcpy(line, a, s * sizeof(double));
    } else if (z % 2 == 0 || y % 2 == 0) {
        const double *b = z % 2 == 0 ? a + s : a + p;
        for (long x = 0; x < s; x++) {
            line[x] = 0.5 * a[x] + 0.5 * b[x];
        }
    } else {
        for (long x = 0; x < s; x++) {
            line[x] = 0.25 * a[x] + 0.25 * a[x + s] + 0.25 * a[x + p] + 0.25 * a[x + p + s];
        }
    }
}

static void add_above(double *u, const double *lower, const unsigned char *fixed, double by) {
    double sum = *u + by, above = sum < *lower ? *lower : sum;
    *u = *fixed || *u <= *lower ? *u : above;
}

static void correct_plane(level *l, long z) {
    const level *coarse = l + 1;
    for (long y = 1; y <= l->n; y++) {
        interpolate_line(l, coarse, z, y);
        const double *line = l->line;
        long at = z * l->p + y * l->s;
        double *restrict u = l->u + at;
        if (!has_obstacle) {
            u[1] += 0.5 * (line[0] + line[1]);
            for (long k = 1; k <= coarse->n; k++) {
                u[2 * k] += line[k];
                u[2 * k + 1] += 0.5 * (line[k] + line[k + 1]);
            }
        } else {
            const double *lower = l->lower + at;
            const unsigned char *fixed = l->fixed + at;
            add_above(u + 1, lower + 1, fixed + 1, 0.5 * (line[0] + line[1]));
            for (long k = 1; k <= coarse->n; k++) {
                long x = 2 * k;
                add_above(u + x, lower + x, fixed + x, line[k]);
                add_above(u + x + 1, lower + x + 1, fixed + x + 1, 0.5 * (line[k] + line[k + 1]));
            }
        }
    }
}

static void residual_row(const level *l, long z, long y) {
    long s = l->s, p = l->p, at = z * p + y * s;
    const double *u = l->u + at, *f = l->f ? l->f + at : NULL;
    double *restrict r = l->residual, link = l->link, center = l->center, f0 = source;
    for (long x = 1; x <= l->n; x++) {
        double sum = u[x - p] + u[x - s] + u[x - 1] + u[x + 1] + u[x + s] + u[x + p];
        r[x] = (f ? f[x] : f0) + (link * sum - center * u[x]);
    }
}

/* Clears the residual at points in contact, and adds their weights to those of the coarse points. */
static void restrict_contact(level *l, const level *coarse, long z, long y, long at) {
    const double *u = l->u + at, *lower = l->lower + at;
    const unsigned char *fixed = l->fixed + at;
    unsigned char *a = l->active_line;
    double *r = l->residual;
    unsigned char pulled = 0;
    for (long x = 1; x <= l->n; x++) {
        a[x] = fixed[x] | (u[x] <= lower[x]);
        pulled |= a[x] & (r[x] > 0);
        r[x] = a[x] ? 0 : r[x];
    }
    l->pulled[z / 2 * (l->n / 2 + 1) + y / 2] |= pulled;
    long length = coarse->n + 2;
    unsigned char *to = l->active_plane + (y / 2) * length;
    for (long k = 1; k <= coarse->n; k++) {
        unsigned char weight = a[2 * k - 1] + 2 * a[2 * k] + a[2 * k + 1];
        to[k] += y % 2 == 0 ? 2 * weight : weight;
        to[k + length] += y % 2 == 0 ? 0 : weight;
    }
}

/* Four maxima at a time; element 0 and the one after the last are 0. */
static double largest(const level *l, double max) {
    const double *r = l->residual;
    double size[4] = {max};
    for (long x = 0; x <= l->n; x += 4) {
        for (int j = 0; j < 4; j++) {
            double v = fabs(r[x + j]);
            size[j] = v > size[j] ? v : size[j];
        }
    }
    return fmax(fmax(size[0], size[1]), fmax(size[2], size[3]));
}

/* As largest, of min(Au - f, diagonal (u - lower)), which is 0 on the boundary. */
static double largest_natural(const level *l, const double *u, const double *lower, double max) {
    const double *r = l->residual;
    double size[4] = {max}, center = l->center;
    for (long x = 0; x <= l->n; x += 4) {
        for (int j = 0; j < 4; j++) {
            double contact = center * (u[x + j] - lower[x + j]);
            double v = fabs(-r[x + j] < contact ? -r[x + j] : contact);
            size[j] = v > size[j] ? v : size[j];
        }
    }
    return fmax(fmax(size[0], size[1]), fmax(size[2], size[3]));
}

static double restrict_plane(level *l, long z, double max) {
    level *coarse = l + 1;
    long length = coarse->n + 2;
    memset(l->plane, 0, length * length * sizeof(double));
    memset(l->active_plane, 0, length * length);
    for (long y = 1; y <= l->n; y++) {
        long at = z * l->p + y * l->s;
        residual_row(l, z, y);
        double *r = l->residual, *to = l->plane + (y / 2) * length;
        max = has_obstacle ? largest_natural(l, l->u + at, l->lower + at, max) : largest(l, max);
        if (has_obstacle) {
            restrict_contact(l, coarse, z, y, at);
        }
        if (y % 2 == 0) {
            for (long k = 1; k <= coarse->n; k++) {
                to[k] += 0.5 * (0.25 * (r[2 * k - 1] + r[2 * k + 1]) + 0.5 * r[2 * k]);
            }
        } else {
            for (long k = 1; k <= coarse->n; k++) {
                double half = 0.25 * (0.25 * (r[2 * k - 1] + r[2 * k + 1]) + 0.5 * r[2 * k]);
                to[k] += half;
                to[k + length] += half;
            }
        }
    }
    for (long Z = z / 2; Z <= (z + 1) / 2; Z++) {
        double weight = z % 2 == 0 ? 0.5 : 0.25;
        for (long y = 1; Z >= 1 && Z <= coarse->n && y <= coarse->n; y++) {
            double *f = coarse->f + Z * coarse->p + y * coarse->s;
            unsigned char *w = l->weight + Z * coarse->p + y * coarse->s;
            for (long x = 1; x <= coarse->n; x++) {
                f[x] += weight * l->plane[y * length + x];
            }
            for (long x = 1; has_obstacle && x <= coarse->n; x++) {
                w[x] += (z % 2 == 0 ? 2 : 1) * l->active_plane[y * length + x];
            }
        }
    }
    return max;
}

/* The coarse values and what else the full approximation scheme needs, once all planes are restricted. */
static void finish_restriction(level *l) {
    level *coarse = l + 1;
    long n = coarse->n, s = coarse->s, p = coarse->p;
    for (long z = 1; z <= n; z++) {
        for (long y = 1; y <= n; y++) {
            const double *from = l->u + 2 * z * l->p + 2 * y * l->s;
            double *to = coarse->u + z * p + y * s;
            for (long x = 1; x <= n; x++) {
                to[x] = from[2 * x];
            }
        }
    }
    for (long z = 1; z <= n; z++) {
        for (long y = 1; y <= n; y++) {
            long at = z * p + y * s;
            const double *u = coarse->u + at;
            double *restrict f = coarse->f + at;
            for (long x = 1; x <= n; x++) {
                double sum = u[x - p] + u[x - s] + u[x - 1] + u[x + 1] + u[x + s] + u[x + p];
                f[x] -= coarse->link * sum - coarse->center * u[x];
            }
            for (long x = 1; has_obstacle && x <= n; x++) {
                coarse->fixed[at + x] = l->weight[at + x] >= FIXING_WEIGHT;
            }
        }
    }
    if (has_obstacle) {
        find_boundary(l);
    }
}

static void clear_sums(level *l) {
    level *coarse = l + 1;
    memset(coarse->f, 0, coarse->p * coarse->s * sizeof(double));
    memset(l->weight, 0, coarse->p * coarse->s);
}

static double restrict_all(level *l) {
    double max = 0;
    clear_sums(l);
    for (long z = 1; z <= l->n; z++) {
        max = restrict_plane(l, z, max);
    }
    finish_restriction(l);
    return max;
}

static void relax(level *l, int sweeps, int near) {
    for (int half = 0; half < 2 * sweeps; half++) {
        for (long z = 1; z <= l->n; z++) {
            relax_plane(l, z, half & 1);
        }
    }
    for (int half = 0; has_obstacle && half < 2 * near; half++) {
        for (long z = 1; z <= l->n; z++) {
            relax_near_plane(l, z, half & 1);
        }
    }
}

static void take_correction(level *l, const double *values) {
    level *coarse = l + 1;
    for (long z = 1; z <= coarse->n; z++) {
        for (long y = 1; y <= coarse->n; y++) {
            long at = z * coarse->p + y * coarse->s;
            const double *from = l->u + 2 * z * l->p + 2 * y * l->s;
            for (long x = 1; x <= coarse->n; x++) {
                coarse->c[at + x] = values[at + x] - from[2 * x];
            }
        }
    }
}

static void correct(level *l) {
    for (long z = 1; z <= l->n; z++) {
        correct_plane(l, z);
    }
}

static void cycle(level *l) {
    if (l == levels + count - 1) {
        relax(l, COARSEST_SWEEPS, 0);
        return;
    }
    relax(l, 2, COARSE_NEAR);
    restrict_all(l);
    cycle(l + 1);
    take_correction(l, l[1].u);
    correct(l);
    relax(l, 1, COARSE_NEAR);
}

static double block_part(int fused) {
    level *l = levels;
    take_correction(l, map);
    for (long i = 0; i < l[1].p * l[1].s; i++) {
        l[1].c[i] = l[1].fixed[i] ? 0 : l[1].c[i];
    }
    if (!fused) {
        correct(l);
        relax(l, 2, FINE_NEAR);
        return restrict_all(l);
    }
    double max = 0;
    int halves = 4 + (has_obstacle ? 2 * FINE_NEAR : 0);
    clear_sums(l);
    for (long t = 1; t <= l->n + halves + 1; t++) {
        if (t <= l->n) {
            correct_plane(l, t);
        }
        for (int half = 0; half < halves; half++) {
            long z = t - 1 - half;
            if (z >= 1 && z <= l->n) {
                half < 4 ? relax_plane(l, z, half & 1) : relax_near_plane(l, z, half & 1);
            }
        }
        if (t > halves + 1) {
            max = restrict_plane(l, t - halves - 1, max);
        }
    }
    finish_restriction(l);
    return max;
}

/* A round's coarse part on the level below the block's, which loads and maps connect to it. */
static void coarse_part(double *values, double *load, int cycles) {
    level *l = levels + 1;
    size_t bytes = l->p * l->s * sizeof(double);
    double *own_u = l->u, *own_f = l->f;
    memcpy(message, own_f, bytes);
    memcpy(load, message, bytes);
    if (has_obstacle) {
        for (long i = 0; i < l->p * l->s; i++) {
            values[i] = l->fixed[i] ? own_u[i] : values[i];
        }
    }
    l->u = values;
    l->f = load;
    for (int k = 0; k < cycles; k++) {
        cycle(l);
    }
    l->u = own_u;
    l->f = own_f;
    memcpy(message, values, bytes);
    memcpy(map, message, bytes);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    long n = argc == 7 ? atol(argv[1]) : 0;
    if (n < 7 || (n & (n + 1)) != 0) {
        fprintf(stderr, "usage: multigrid N plain|obstacle unfused|fused WARM ROUNDS plain|huge, N = 2^k - 1 at least 7\n");
        return 2;
    }
    has_obstacle = strcmp(argv[2], "obstacle") == 0;
    int fused = strcmp(argv[3], "fused") == 0, warm = atoi(argv[4]), rounds = atoi(argv[5]);
    in_huge_pages = strcmp(argv[6], "huge") == 0;
    source = has_obstacle ? -1 : 1;
    for (long m = n; m >= 1; m /= 2) {
        level *l = &levels[count++];
        long s = m + 2, size = s * s * s;
        double h = 1.0 / (m + 1);
        *l = (level) {.n = m, .s = s, .p = s * s, .center = 6 / (h * h), .link = 1 / (h * h)};
        l->omega = has_obstacle && m < n ? 1.45 : 1.15;
        l->u = zeros(size * sizeof(double));
        l->f = m < n ? zeros(size * sizeof(double)) : NULL;
        l->c = m < n ? zeros(size * sizeof(double)) : NULL;
        l->fixed = zeros(has_obstacle || m < n ? size : 1);
        l->lower = has_obstacle ? zeros(size * sizeof(double)) : NULL;
        for (long i = 0; has_obstacle && i < size; i++) {
            l->lower[i] = -0.02;
        }
        l->line = zeros(s * sizeof(double));
        l->residual = zeros(s * sizeof(double));
        l->plane = zeros(s * s * sizeof(double));
        l->active_line = zeros(s);
        l->active_plane = zeros(s * s);
        l->weight = zeros(size);
        size_t pairs = (m / 2 + 1) * (m / 2 + 1) * sizeof(unsigned long);
        l->crossed = zeros(pairs);
        l->spread = zeros(pairs);
        l->near = zeros(pairs);
        l->whole = zeros(pairs);
        l->open = has_obstacle ? zeros(pairs) : NULL;
        l->pulled = zeros(pairs);
        if (has_obstacle) {
            memset(l->open, -1, pairs);
        }
        for (l->shift = 3; m >> l->shift >= TILES; l->shift++) {
        }
    }
    long size = levels[1].p * levels[1].s;
    map = zeros(size * sizeof(double));
    message = zeros(size * sizeof(double));
    double *values = zeros(size * sizeof(double)), *load = zeros(size * sizeof(double));
    double *whole = zeros(rounds * sizeof(double)), *block = zeros(rounds * sizeof(double));
    double *coarse = zeros(rounds * sizeof(double)), residual = 0;
    for (int i = -warm; i < rounds; i++) {
        double begin = now();
        residual = block_part(fused);
        double middle = now();
        /* A coarse problem that starts from zero makes three times as many cycles. */
        coarse_part(values, load, i == -warm ? 3 : 1);
        double end = now();
        if (i >= 0) {
            whole[i] = end - begin;
            block[i] = middle - begin;
            coarse[i] = end - middle;
        }
    }
    qsort(whole, rounds, sizeof(double), ascending);
    qsort(block, rounds, sizeof(double), ascending);
    qsort(coarse, rounds, sizeof(double), ascending);
    printf("%.6f %.6f %.6f %.17g\n", whole[rounds / 2], block[rounds / 2], coarse[rounds / 2], residual);
    return 0;
}
