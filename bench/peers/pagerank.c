/*
 * PageRank in C, one process: x = d P x + (1 - d)/n as the problem pagerank defines it, by sweeps in place, the method of its
 * blocks.
 *
 *   pagerank FILE DAMPING TOLERANCE
 *
 * FILE is a Matrix Market file, coordinate pattern general: an entry (i, j) is a link from page i to page j. The iteration ends
 * when the sum of |d P x + (1 - d)/n - x| is at most TOLERANCE * (1 - d). That residual is computed in a pass of its own, once the
 * changes of a sweep predict success.
 *
 * Prints one line of JSON: sweeps, the residual relative to 1 - d, and the seconds of set-up (which reads FILE) and of the solve.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long n, links;
static int *start, *sources;  /* of page j: sources[start[j]] to sources[start[j + 1] - 1] link to it */
static double *ranks, *share; /* share[i] is what page i gives to each page that it links to: d x_i / number of its links */
static double *portion;       /* d / number of links, 0 without links */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void *array(size_t count, size_t bytes) {
    void *values = calloc(count, bytes);
    if (values == NULL) {
        fprintf(stderr, "pagerank: no memory\n");
        exit(1);
    }
    return values;
}

static void read_graph(const char *file) {
    FILE *in = fopen(file, "r");
    char line[1024];
    long rows;
    do {
        if (in == NULL || fgets(line, sizeof line, in) == NULL) {
            fprintf(stderr, "pagerank: %s cannot be read\n", file);
            exit(2);
        }
    } while (line[0] == '%');
    if (sscanf(line, "%ld %ld %ld", &rows, &n, &links) != 3 || rows != n) {
        fprintf(stderr, "pagerank: %s has no square matrix\n", file);
        exit(2);
    }
    int *from = array(links, sizeof *from), *to = array(links, sizeof *to), *outgoing = array(n, sizeof *outgoing);
    start = array(n + 2, sizeof *start);
    for (long k = 0; k < links; k++) {
        if (fscanf(in, "%d %d", &from[k], &to[k]) != 2) {
            fprintf(stderr, "pagerank: entry %ld of %s cannot be read\n", k + 1, file);
            exit(2);
        }
        outgoing[--from[k]]++;
        start[--to[k] + 2]++;
    }
    fclose(in);
    for (long j = 0; j < n; j++) {
        start[j + 2] += start[j + 1];
    }
    sources = array(links, sizeof *sources);
    for (long k = 0; k < links; k++) {
        sources[start[to[k] + 1]++] = from[k];
    }
    portion = array(n, sizeof *portion);
    for (long i = 0; i < n; i++) {
        portion[i] = outgoing[i] > 0 ? 1.0 / outgoing[i] : 0;
    }
    free(from), free(to), free(outgoing);
}

static double given_to(long page) {
    double sum = 0;
    for (int k = start[page]; k < start[page + 1]; k++) {
        sum += share[sources[k]];
    }
    return sum;
}

int main(int argc, char **argv) {
    double damping = argc == 4 ? atof(argv[2]) : 0, tolerance = argc == 4 ? atof(argv[3]) : 0;
    if (!(damping > 0 && damping < 1 && tolerance > 0)) {
        fprintf(stderr, "usage: pagerank FILE DAMPING TOLERANCE\n");
        return 2;
    }
    double begin = now();
    read_graph(argv[1]);
    double teleport = (1 - damping) / n, residual = HUGE_VAL;
    ranks = array(n, sizeof *ranks);
    share = array(n, sizeof *share);
    for (long i = 0; i < n; i++) {
        portion[i] *= damping;
        ranks[i] = teleport;
        share[i] = portion[i] * teleport;
    }
    double middle = now();
    long sweeps = 0;
    while (residual > tolerance * (1 - damping)) {
        double change = 0;
        for (long j = 0; j < n; j++) {
            double rank = given_to(j) + teleport;
            change += fabs(rank - ranks[j]);
            ranks[j] = rank;
            share[j] = portion[j] * rank;
        }
        sweeps++;
        if (damping * change <= 4 * tolerance * (1 - damping)) {
            residual = 0;
            for (long j = 0; j < n; j++) {
                residual += fabs(given_to(j) + teleport - ranks[j]);
            }
        }
    }
    double end = now();
    printf("{\"converged\":true,\"iterations\":%ld,\"residual\":%.6e,\"setup_s\":%.6f,\"solve_s\":%.6f}\n", sweeps,
           residual / (1 - damping), middle - begin, end - middle);
    return 0;
}
