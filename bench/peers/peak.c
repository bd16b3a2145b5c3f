/*
 * The highest rate of floating-point operations of one core, for rooflines: independent chains of fused multiply-adds on whole
 * vector registers.
 *
 *   peak SECONDS
 *
 * Prints billions of operations a second, the best of stretches of about 20 ms within SECONDS; a multiply-add is two operations.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Doubles of a vector register: with longer vectors the chains would not fit into the registers. */
#if defined(__AVX512F__)
enum { WIDTH = 8 };
#elif defined(__AVX__)
enum { WIDTH = 4 };
#else
enum { WIDTH = 2 };
#endif

enum { CHAINS = 12, STEPS = 1 << 20 };

typedef double vector __attribute__((vector_size(WIDTH * sizeof(double))));

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
    double seconds = argc == 2 ? atof(argv[1]) : 1, best = 0, begin = now();
    vector sums[CHAINS], factor, term;
    for (int i = 0; i < WIDTH; i++) {
        factor[i] = 1 - 1e-9 * i;
        term[i] = 1e-9 * i;
    }
    for (int c = 0; c < CHAINS; c++) {
        sums[c] = term * (c + 1);
    }
    while (now() < begin + seconds) {
        double from = now();
        for (long step = 0; step < STEPS; step++) {
#pragma GCC unroll 12
            for (int c = 0; c < CHAINS; c++) {
                sums[c] = sums[c] * factor + term;
            }
        }
        double rate = 2e-9 * WIDTH * CHAINS * STEPS / (now() - from);
        best = rate > best ? rate : best;
    }
    double sum = 0;
    for (int c = 0; c < CHAINS; c++) {
        for (int i = 0; i < WIDTH; i++) {
            sum += sums[c][i];
        }
    }
    /* The sum keeps the compiler from leaving the loop out. */
    printf("%.3f %g\n", best, sum);
    return 0;
}
