#!/usr/bin/env python3
"""Sparse linear systems by scipy and pyamg, one process: A x = b with b_i = i/n, as linear-system defines it.

usage: matrices.py solve FILE SOLVER PARTS OVERLAP VECTORS TOLERANCE
       matrices.py make NAME EDGE FILE
       matrices.py versions

solve prints one line of JSON: iterations, the residual max |b - Ax| / max |b| computed at the end, and the seconds of
set-up and of the solve. SOLVER is gmres-schwarz, cg-schwarz (for symmetric matrices), aggregation, ruge-stueben or lu. A Krylov method
tests another norm, so it is run with a smaller tolerance until that residual is at most TOLERANCE; the time is that of the last of
these runs. Those with Schwarz have the local solves of linear-system: sparse LU of PARTS patches with OVERLAP
layers, and a coarse space of VECTORS relaxed vectors for each part. Its parts come from recursive spectral bisection.

make writes a matrix on a square with EDGE x EDGE points as a Matrix Market file. NAME is poisson-2d, the five-point matrix, or
elasticity-2d, linear elements with two unknowns a point.
"""

import json
import sys
import time
import warnings

import numpy as np
import pyamg
import scipy
import scipy.io
import scipy.sparse as sp
import scipy.sparse.linalg as la

SEED = 1
RELAXATIONS = 8
RESTART = 30
SPECTRAL_ROWS = 2000
MOST_ITERATIONS = 600
MADE = {
    "poisson-2d": pyamg.gallery.poisson,
    "elasticity-2d": lambda grid: pyamg.gallery.linear_elasticity(grid)[0],
}


def bisect(graph, rows, parts):
    """Parts of equal size, by the second eigenvectors of Laplacians, or by levels where that would take long."""
    if parts == 1:
        return [rows]
    links = sp.csr_array(graph[rows][:, rows])
    if len(rows) <= SPECTRAL_ROWS:
        pattern = (links != 0).astype(float).toarray()
        _, vectors = np.linalg.eigh(np.diag(pattern.sum(axis=1)) - pattern)
        order = np.argsort(vectors[:, 1], kind="stable")
    else:
        order = sp.csgraph.reverse_cuthill_mckee(links, symmetric_mode=True)
    left = parts // 2
    cut = len(rows) * left // parts
    return bisect(graph, rows[order[:cut]], left) + bisect(graph, rows[order[cut:]], parts - left)


class Schwarz:
    """Two-level Schwarz preconditioner: coarse correction, then restricted solves on patches; the symmetric variant adds them up."""

    def __init__(self, matrix, parts, overlap, vectors, symmetric):
        self.matrix = matrix
        self.symmetric = symmetric
        graph = sp.csr_array(abs(matrix) + abs(matrix.T))
        self.cores = bisect(graph, np.arange(matrix.shape[0]), parts)
        self.patches = []
        for core in self.cores:
            inside = np.zeros(matrix.shape[0])
            inside[core] = 1
            for _ in range(overlap):
                inside = np.where(inside + graph @ inside > 0, 1.0, 0.0)
            patch = np.flatnonzero(inside)
            factors = la.splu(sp.csc_array(matrix[patch][:, patch]))
            self.patches.append((patch, factors, np.isin(patch, core)))
        self.basis = self.coarse_space(vectors)
        self.coarse = np.linalg.inv(self.basis.T @ (matrix @ self.basis))

    def coarse_space(self, vectors):
        rows = self.matrix.shape[0]
        tests = np.random.default_rng(SEED).standard_normal((rows, vectors))
        tests[:, 0] = 1
        for _ in range(RELAXATIONS):
            for column in range(vectors):
                tests[:, column] -= self.local(self.matrix @ tests[:, column], restricted=True)
        columns = []
        for core in self.cores:
            left, sizes, _ = np.linalg.svd(tests[core], full_matrices=False)
            for k in np.flatnonzero(sizes > 1e-10 * sizes[0]):
                column = np.zeros(rows)
                column[core] = left[:, k]
                columns.append(column)
        return np.array(columns).T

    def local(self, residual, restricted):
        result = np.zeros_like(residual)
        for patch, factors, owned in self.patches:
            part = factors.solve(residual[patch])
            if restricted:
                result[patch[owned]] = part[owned]
            else:
                result[patch] += part
        return result

    def apply(self, residual):
        first = self.basis @ (self.coarse @ (self.basis.T @ residual))
        if self.symmetric:
            return first + self.local(residual, restricted=False)
        return first + self.local(residual - self.matrix @ first, restricted=True)

    def operator(self):
        return la.LinearOperator(self.matrix.shape, self.apply, dtype=float)


def relative(matrix, b, x):
    return float(np.abs(b - matrix @ x).max() / np.abs(b).max())


def krylov(method, matrix, b, preconditioner, tolerance):
    """Iterations, residual and seconds of the first run that is accurate enough."""
    rtol = tolerance
    while True:
        count = [0]

        def counted(_, count=count):
            count[0] += 1

        options = {"restart": RESTART, "callback_type": "pr_norm"} if method is la.gmres else {}
        limit = MOST_ITERATIONS // RESTART if method is la.gmres else MOST_ITERATIONS
        begin = time.perf_counter()
        x, _ = method(matrix, b, rtol=rtol, atol=0, M=preconditioner, maxiter=limit, callback=counted, **options)
        seconds = time.perf_counter() - begin
        residual = relative(matrix, b, x)
        if residual <= tolerance or rtol < 1e-5 * tolerance:
            return count[0], residual, seconds
        rtol *= 0.3


def solve(file, solver, parts, overlap, vectors, tolerance):
    matrix = sp.csr_array(scipy.io.mmread(file))
    rows = matrix.shape[0]
    b = np.arange(1, rows + 1) / rows
    symmetric = abs(matrix - matrix.T).max() <= 1e-12 * abs(matrix).max()
    method = la.cg if symmetric and solver != "gmres-schwarz" else la.gmres
    plain = sp.csr_matrix(matrix)
    begin = time.perf_counter()
    if solver == "lu":
        factors = la.splu(sp.csc_array(matrix))
        middle = time.perf_counter()
        x = factors.solve(b)
        iterations, residual, seconds = 1, relative(matrix, b, x), time.perf_counter() - middle
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if solver in ("gmres-schwarz", "cg-schwarz"):
                preconditioner = Schwarz(matrix, parts, overlap, vectors, solver == "cg-schwarz").operator()
            elif solver == "aggregation":
                preconditioner = pyamg.smoothed_aggregation_solver(
                    plain, symmetry="hermitian" if symmetric else "nonsymmetric").aspreconditioner()
            elif solver == "ruge-stueben":
                preconditioner = pyamg.ruge_stuben_solver(plain).aspreconditioner()
            else:
                sys.exit(f"matrices.py: there is no solver {solver}")
        middle = time.perf_counter()
        iterations, residual, seconds = krylov(method, matrix, b, preconditioner, tolerance)
    print(json.dumps({"converged": residual <= tolerance, "iterations": iterations, "residual": residual,
                      "setup_s": middle - begin, "solve_s": seconds}))


def main():
    if sys.argv[1:2] == ["solve"] and len(sys.argv) == 8:
        solve(sys.argv[2], sys.argv[3], *map(int, sys.argv[4:7]), float(sys.argv[7]))
    elif sys.argv[1:2] == ["make"] and len(sys.argv) == 5 and sys.argv[2] in MADE:
        edge = int(sys.argv[3])
        scipy.io.mmwrite(sys.argv[4], sp.csr_matrix(MADE[sys.argv[2]]((edge, edge))), symmetry="general")
    elif sys.argv[1:] == ["versions"]:
        print(f"scipy {scipy.__version__}, pyamg {pyamg.__version__}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
