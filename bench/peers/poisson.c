/*
 * -Laplace u = 1 in the unit cube by PETSc, u = 0 on the boundary, N x N x N interior points, seven-point differences: the
 * problem of poisson3d. Conjugate gradients with the preconditioner that PETSc's own options choose.
 *
 *   mpirun -n RANKS poisson -n N -hierarchy true|false [options of PETSc]
 *
 * -hierarchy true makes all grids from N to 3 points on an edge, each with the operator discretized on it and trilinear
 * interpolation between them, for -pc_type mg. N + 1 must be a power of two then. The grids include the boundary, where rows are
 * those of the identity and corrections are zero. All is scaled by h^3, so that restriction is the transpose of interpolation.
 *
 * The iteration ends when the residual is at most TOLERANCE in the maximum norm, relative to the right-hand side. Prints one
 * line of JSON: iterations, the true residual b - Ax computed anew, and the seconds of set-up and of the solve.
 */
#include <petscdmda.h>
#include <petscksp.h>

static const PetscReal TOLERANCE = 1e-8;

enum { MOST_LEVELS = 16 };

static PetscBool on_boundary(const DMDALocalInfo *grid, PetscInt i, PetscInt j, PetscInt k) {
    return i == 0 || j == 0 || k == 0 || i == grid->mx - 1 || j == grid->my - 1 || k == grid->mz - 1;
}

static PetscErrorCode assemble(DM dm, Mat *matrix) {
    DMDALocalInfo grid;
    PetscCall(DMCreateMatrix(dm, matrix));
    PetscCall(DMDAGetLocalInfo(dm, &grid));
    PetscReal h = 1.0 / (grid.mx - 1);
    for (PetscInt k = grid.zs; k < grid.zs + grid.zm; k++) {
        for (PetscInt j = grid.ys; j < grid.ys + grid.ym; j++) {
            for (PetscInt i = grid.xs; i < grid.xs + grid.xm; i++) {
                MatStencil row = {.k = k, .j = j, .i = i}, columns[7];
                PetscScalar values[7];
                PetscInt count = 0;
                columns[count] = row;
                values[count++] = 6 * h;
                for (int side = 0; side < 6 && !on_boundary(&grid, i, j, k); side++) {
                    int step = side % 2 ? 1 : -1;
                    MatStencil next = {.k = k + (side / 2 == 0) * step, .j = j + (side / 2 == 1) * step,
                                       .i = i + (side / 2 == 2) * step};
                    if (!on_boundary(&grid, next.i, next.j, next.k)) {
                        columns[count] = next;
                        values[count++] = -h;
                    }
                }
                PetscCall(MatSetValuesStencil(*matrix, 1, &row, count, columns, values, INSERT_VALUES));
            }
        }
    }
    PetscCall(MatAssemblyBegin(*matrix, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*matrix, MAT_FINAL_ASSEMBLY));
    return MatSetOption(*matrix, MAT_SPD, PETSC_TRUE);
}

/* Sets value at the interior points and zero on the boundary. */
static PetscErrorCode fill_interior(DM dm, Vec vector, PetscScalar value) {
    DMDALocalInfo grid;
    PetscScalar ***array;
    PetscCall(DMDAGetLocalInfo(dm, &grid));
    PetscCall(DMDAVecGetArray(dm, vector, &array));
    for (PetscInt k = grid.zs; k < grid.zs + grid.zm; k++) {
        for (PetscInt j = grid.ys; j < grid.ys + grid.ym; j++) {
            for (PetscInt i = grid.xs; i < grid.xs + grid.xm; i++) {
                array[k][j][i] = on_boundary(&grid, i, j, k) ? 0 : value;
            }
        }
    }
    return DMDAVecRestoreArray(dm, vector, &array);
}

/* Interpolation that neither reads nor changes values on the boundary. */
static PetscErrorCode interpolation(DM coarse, DM fine, Mat *matrix) {
    Vec fineMask, coarseMask;
    PetscCall(DMCreateInterpolation(coarse, fine, matrix, NULL));
    PetscCall(DMCreateGlobalVector(fine, &fineMask));
    PetscCall(DMCreateGlobalVector(coarse, &coarseMask));
    PetscCall(fill_interior(fine, fineMask, 1));
    PetscCall(fill_interior(coarse, coarseMask, 1));
    /* Matrices of interpolation scale their rows or their columns at a time. */
    PetscCall(MatDiagonalScale(*matrix, fineMask, coarseMask));
    PetscCall(VecDestroy(&fineMask));
    return VecDestroy(&coarseMask);
}

static PetscErrorCode set_hierarchy(KSP solver, DM finest, Mat matrix, PetscInt points) {
    DM grids[MOST_LEVELS];
    PetscInt levels = 1;
    PC preconditioner;
    for (PetscInt edge = points + 1; edge > 4 && levels < MOST_LEVELS; edge /= 2) {
        levels++;
    }
    grids[levels - 1] = finest;
    PetscCall(KSPGetPC(solver, &preconditioner));
    PetscCall(PCSetType(preconditioner, PCMG));
    PetscCall(PCMGSetLevels(preconditioner, levels, NULL));
    for (PetscInt level = levels - 1; level >= 0; level--) {
        KSP smoother;
        Mat operator= matrix;
        PetscCall(PCMGGetSmoother(preconditioner, level, &smoother));
        if (level < levels - 1) {
            PetscCall(assemble(grids[level], &operator));
        }
        PetscCall(KSPSetOperators(smoother, operator, operator));
        if (level > 0) {
            Mat transfer;
            PetscCall(DMCoarsen(grids[level], PetscObjectComm((PetscObject)finest), &grids[level - 1]));
            PetscCall(interpolation(grids[level - 1], grids[level], &transfer));
            PetscCall(PCMGSetInterpolation(preconditioner, level, transfer));
            PetscCall(MatDestroy(&transfer));
        }
    }
    return 0;
}

typedef struct {
    Vec work;
    PetscReal scale, rootOfSize;
} test_of_residual;

/* The largest residual is at least the root of the mean square, which costs nothing: it is computed once that is small. */
static PetscErrorCode is_converged(KSP solver, PetscInt iteration, PetscReal norm, KSPConvergedReason *reason, void *context) {
    test_of_residual *test = context;
    *reason = KSP_CONVERGED_ITERATING;
    if (norm / test->rootOfSize <= TOLERANCE * test->scale) {
        Vec residual;
        PetscReal largest;
        PetscCall(KSPBuildResidual(solver, NULL, test->work, &residual));
        PetscCall(VecNorm(residual, NORM_INFINITY, &largest));
        if (largest <= TOLERANCE * test->scale) {
            *reason = KSP_CONVERGED_RTOL;
        }
    }
    if (PetscIsInfOrNanReal(norm)) {
        *reason = KSP_DIVERGED_NANORINF;
    } else if (iteration > 1000) {
        *reason = KSP_DIVERGED_ITS;
    }
    return 0;
}

int main(int argc, char **argv) {
    PetscInt points = 63, iterations;
    PetscBool hierarchy = PETSC_TRUE;
    DM dm;
    Mat matrix;
    Vec x, b, r;
    KSP solver;
    PetscReal largest;
    KSPConvergedReason reason;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &points, NULL));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-hierarchy", &hierarchy, NULL));
    PetscInt edge = points + 2;
    double begin = MPI_Wtime();
    PetscCall(DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, edge,
                           edge, edge, PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, 1, 1, NULL, NULL, NULL, &dm));
    PetscCall(DMSetUp(dm));
    PetscCall(assemble(dm, &matrix));
    PetscCall(DMCreateGlobalVector(dm, &b));
    PetscCall(VecDuplicate(b, &x));
    PetscCall(VecDuplicate(b, &r));
    PetscReal h = 1.0 / (points + 1), scale = h * h * h;
    PetscCall(fill_interior(dm, b, scale));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
    PetscCall(KSPSetOperators(solver, matrix, matrix));
    PetscCall(KSPSetType(solver, KSPCG));
    PetscCall(KSPSetNormType(solver, KSP_NORM_UNPRECONDITIONED));
    if (hierarchy) {
        PetscCall(set_hierarchy(solver, dm, matrix, points));
    }
    PetscCall(KSPSetFromOptions(solver));
    test_of_residual test = {.work = r, .scale = scale, .rootOfSize = PetscSqrtReal((PetscReal)points * points * points)};
    PetscCall(KSPSetConvergenceTest(solver, is_converged, &test, NULL));
    PetscCall(KSPSetUp(solver));
    PetscCall(KSPSetUpOnBlocks(solver));
    PetscCall(MPI_Barrier(PETSC_COMM_WORLD));
    double middle = MPI_Wtime();
    PetscCall(KSPSolve(solver, b, x));
    double end = MPI_Wtime();
    PetscCall(KSPGetConvergedReason(solver, &reason));
    PetscCall(KSPGetIterationNumber(solver, &iterations));
    PetscCall(MatMult(matrix, x, r));
    PetscCall(VecAYPX(r, -1, b));
    PetscCall(VecNorm(r, NORM_INFINITY, &largest));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                          "{\"converged\":%s,\"iterations\":%d,\"residual\":%.6e,\"setup_s\":%.6f,\"solve_s\":%.6f}\n",
                          reason > 0 ? "true" : "false", (int)iterations, largest / scale, middle - begin, end - middle));
    PetscCall(KSPDestroy(&solver));
    PetscCall(PetscFinalize());
    return 0;
}
