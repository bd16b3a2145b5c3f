/*
 * The membrane of obstacle3d by PETSc's Newton methods for variational inequalities: u >= -0.3 in the unit cube, -Laplace u >= -20,
 * with equality in one of them at every point, u = 0 on the boundary, N x N x N interior points, seven-point differences.
 *
 *   mpirun -n RANKS obstacle-petsc -n N [options of PETSc]
 *
 * With -pc_type mg N + 1 should be a power of two, and the operators of the coarse grids are Galerkin products, as the reduced
 * systems of the active set need. The grids include the boundary, where rows are those of the identity. The iteration starts on
 * coarse grids with -snes_grid_sequence.
 *
 * It ends when min(-Laplace u + 20, 6 (u + 0.3) / h^2) is at most TOLERANCE * 20 in the maximum norm. Prints one line of JSON:
 * Newton steps and linear iterations on the finest grid, that residual computed anew, and the seconds of set-up and of the
 * solve. The solve includes all assembly, because Newton's method assembles in each step.
 */
#include <petscdmda.h>
#include <petscsnes.h>

static const PetscReal TOLERANCE = 1e-8, LOAD = -20, OBSTACLE = -0.3;

static PetscBool on_boundary(const DMDALocalInfo *grid, PetscInt i, PetscInt j, PetscInt k) {
    return i == 0 || j == 0 || k == 0 || i == grid->mx - 1 || j == grid->my - 1 || k == grid->mz - 1;
}

static PetscReal applied(const DMDALocalInfo *grid, PetscScalar ***u, PetscInt i, PetscInt j, PetscInt k) {
    /* What a neighbor on the boundary holds is zero at the solution; it is left out to keep the matrix symmetric. */
    PetscReal sum = 6 * u[k][j][i];
    for (int side = 0; side < 6; side++) {
        int step = side % 2 ? 1 : -1;
        PetscInt z = k + (side / 2 == 0) * step, y = j + (side / 2 == 1) * step, x = i + (side / 2 == 2) * step;
        sum -= on_boundary(grid, x, y, z) ? 0 : u[z][y][x];
    }
    return sum;
}

/* h^3 times -Laplace u + 20. */
static PetscErrorCode function(DMDALocalInfo *grid, PetscScalar ***u, PetscScalar ***f, void *context) {
    PetscReal h = 1.0 / (grid->mx - 1);
    (void)context;
    for (PetscInt k = grid->zs; k < grid->zs + grid->zm; k++) {
        for (PetscInt j = grid->ys; j < grid->ys + grid->ym; j++) {
            for (PetscInt i = grid->xs; i < grid->xs + grid->xm; i++) {
                f[k][j][i] = on_boundary(grid, i, j, k) ? 6 * h * u[k][j][i]
                                                        : h * applied(grid, u, i, j, k) - h * h * h * LOAD;
            }
        }
    }
    return 0;
}

static PetscErrorCode jacobian(DMDALocalInfo *grid, PetscScalar ***u, Mat operator, Mat matrix, void *context) {
    PetscReal h = 1.0 / (grid->mx - 1);
    (void)context;
    for (PetscInt k = grid->zs; k < grid->zs + grid->zm; k++) {
        for (PetscInt j = grid->ys; j < grid->ys + grid->ym; j++) {
            for (PetscInt i = grid->xs; i < grid->xs + grid->xm; i++) {
                MatStencil row = {.k = k, .j = j, .i = i}, columns[7];
                PetscScalar values[7];
                PetscInt count = 0;
                columns[count] = row;
                values[count++] = 6 * h;
                for (int side = 0; side < 6 && !on_boundary(grid, i, j, k); side++) {
                    int step = side % 2 ? 1 : -1;
                    MatStencil next = {.k = k + (side / 2 == 0) * step, .j = j + (side / 2 == 1) * step,
                                       .i = i + (side / 2 == 2) * step};
                    if (!on_boundary(grid, next.i, next.j, next.k)) {
                        columns[count] = next;
                        values[count++] = -h;
                    }
                }
                PetscCall(MatSetValuesStencil(matrix, 1, &row, count, columns, values, INSERT_VALUES));
            }
        }
    }
    PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
    if (operator!= matrix) {
        PetscCall(MatAssemblyBegin(operator, MAT_FINAL_ASSEMBLY));
        PetscCall(MatAssemblyEnd(operator, MAT_FINAL_ASSEMBLY));
    }
    (void)u;
    return MatSetOption(matrix, MAT_SPD, PETSC_TRUE);
}

static PetscErrorCode bounds(SNES solver, Vec lower, Vec upper) {
    (void)solver;
    PetscCall(VecSet(lower, OBSTACLE));
    return VecSet(upper, PETSC_INFINITY);
}

/* The largest |min(-Laplace u + 20, 6 (u + 0.3) / h^2)| at interior points. */
static PetscErrorCode natural_residual(DM dm, Vec global, PetscReal *largest) {
    DMDALocalInfo grid;
    Vec local;
    PetscScalar ***u;
    PetscReal own = 0;
    PetscCall(DMDAGetLocalInfo(dm, &grid));
    PetscCall(DMGetLocalVector(dm, &local));
    PetscCall(DMGlobalToLocal(dm, global, INSERT_VALUES, local));
    PetscCall(DMDAVecGetArrayRead(dm, local, &u));
    PetscReal square = 1.0 / ((grid.mx - 1) * (PetscReal)(grid.mx - 1));
    for (PetscInt k = grid.zs; k < grid.zs + grid.zm; k++) {
        for (PetscInt j = grid.ys; j < grid.ys + grid.ym; j++) {
            for (PetscInt i = grid.xs; i < grid.xs + grid.xm; i++) {
                if (!on_boundary(&grid, i, j, k)) {
                    PetscReal equation = applied(&grid, u, i, j, k) / square - LOAD;
                    PetscReal contact = 6 * (u[k][j][i] - OBSTACLE) / square;
                    own = PetscMax(own, PetscAbsReal(PetscMin(equation, contact)));
                }
            }
        }
    }
    PetscCall(DMDAVecRestoreArrayRead(dm, local, &u));
    PetscCall(DMRestoreLocalVector(dm, &local));
    return MPI_Allreduce(&own, largest, 1, MPIU_REAL, MPI_MAX, PetscObjectComm((PetscObject)dm));
}

static PetscErrorCode is_converged(SNES solver, PetscInt iteration, PetscReal x, PetscReal step, PetscReal f,
                                   SNESConvergedReason *reason, void *context) {
    DM dm;
    Vec u;
    PetscReal residual;
    (void)x, (void)step, (void)context;
    PetscCall(SNESGetDM(solver, &dm));
    PetscCall(SNESGetSolution(solver, &u));
    PetscCall(natural_residual(dm, u, &residual));
    *reason = PetscIsInfOrNanReal(f)                      ? SNES_DIVERGED_FNORM_NAN
              : residual <= TOLERANCE * PetscAbsReal(LOAD) ? SNES_CONVERGED_FNORM_ABS
              : iteration > 200                           ? SNES_DIVERGED_MAX_IT
                                                          : SNES_CONVERGED_ITERATING;
    return 0;
}

int main(int argc, char **argv) {
    PetscInt points = 63, sequence = 0, steps, linear;
    DM coarsest, dm;
    SNES solver;
    Vec u;
    PetscReal residual;
    SNESConvergedReason reason;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &points, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-snes_grid_sequence", &sequence, NULL));
    /* Each step of the sequence doubles the grid. */
    PetscInt edge = ((points + 1) >> sequence) + 1;
    double begin = MPI_Wtime();
    PetscCall(DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, edge,
                           edge, edge, PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, 1, 1, NULL, NULL, NULL, &coarsest));
    PetscCall(DMSetUp(coarsest));
    PetscCall(DMDASNESSetFunctionLocal(coarsest, INSERT_VALUES, (DMDASNESFunction)function, NULL));
    PetscCall(DMDASNESSetJacobianLocal(coarsest, (DMDASNESJacobian)jacobian, NULL));
    PetscCall(SNESCreate(PETSC_COMM_WORLD, &solver));
    PetscCall(SNESSetDM(solver, coarsest));
    PetscCall(SNESSetType(solver, SNESVINEWTONRSLS));
    PetscCall(SNESVISetComputeVariableBounds(solver, bounds));
    PetscCall(SNESSetFromOptions(solver));
    PetscCall(SNESSetConvergenceTest(solver, is_converged, NULL, NULL));
    PetscCall(MPI_Barrier(PETSC_COMM_WORLD));
    double middle = MPI_Wtime();
    PetscCall(SNESSolve(solver, NULL, NULL));
    double end = MPI_Wtime();
    PetscCall(SNESGetConvergedReason(solver, &reason));
    PetscCall(SNESGetIterationNumber(solver, &steps));
    PetscCall(SNESGetLinearSolveIterations(solver, &linear));
    PetscCall(SNESGetSolution(solver, &u));
    PetscCall(SNESGetDM(solver, &dm));
    PetscCall(natural_residual(dm, u, &residual));
    PetscCall(PetscPrintf(
        PETSC_COMM_WORLD,
        "{\"converged\":%s,\"iterations\":%d,\"linear\":%d,\"residual\":%.6e,\"setup_s\":%.6f,\"solve_s\":%.6f}\n",
        reason > 0 ? "true" : "false", (int)steps, (int)linear, residual / PetscAbsReal(LOAD), middle - begin, end - middle));
    PetscCall(SNESDestroy(&solver));
    PetscCall(DMDestroy(&coarsest));
    PetscCall(PetscFinalize());
    return 0;
}
