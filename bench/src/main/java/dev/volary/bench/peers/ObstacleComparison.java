// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.peers.Contest.Contender;
import dev.volary.bench.peers.Section.Goal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The membrane of {@code obstacle3d} against projected SOR in C and MPI, and against PETSc's Newton method for inequalities. */
final class ObstacleComparison implements Comparison {
    private static final double TOLERANCE = 1e-8;
    private static final String SOR = "C + MPI, projected SOR";
    /** Of the time from iterating to certified to projected SOR, by the size of the grid. */
    private static final Map<Integer, Goal> GOALS = Map.of(127, Goal.atMost(0.35), 255, Goal.atMost(0.08));
    /** The factor 2/(1 + 7h): a search among factors found the fewest sweeps there, for n = 31, 63 and 127. */
    private static final double SLOPE_OF_FACTOR = 7;

    private static final int COARSEST_CELLS = 4;
    /** A run on the next grid takes more than seven minutes. */
    private static final int LARGEST_OF_NEWTON = 127;

    @Override
    public Section measure(PeerOptions options, Toolchain tools) throws IOException, InterruptedException {
        Section section = new Section("Obstacle under a membrane").text("""
                The membrane of `obstacle3d`: u ≥ −0.3, −Δu ≥ −20, with equality in one of them at every point, to a natural residual of
                1e-8 in the maximum norm, relative to 20. Projected SOR is red-black, with the factor 2/(1 + 7h) that took the
                fewest sweeps for n = 31 to 127. PETSc's Newton method starts on coarse grids and solves its linear systems by
                conjugate gradients and multigrid; it assembles in each step, so all of that is its solve. At n = 255 it takes more
                than seven minutes a run and is left out. Volary has one daemon with two threads, or two daemons, the others
                two ranks.""");
        Optional<Path> sor = tools.mpi("obstacle.c");
        Optional<Path> newton = tools.petsc("obstacle-petsc.c");
        List<TimesPlot.Group> groups = new ArrayList<>();
        for (int n : options.sizes()) {
            Contest contest = Contest.hold("obstacle3d " + n, options.rounds(), contenders(n, sor, newton));
            section.text("**n = " + n + "**");
            SolverTable.add(section, contest);
            Goal goal = GOALS.get(n);
            if (goal != null) {
                section.goal(
                        "Volary / projected SOR, n = " + n,
                        contest.median(SolverTable.VOLARY, PeerResult::solveSeconds)
                                / contest.median(SOR, PeerResult::solveSeconds),
                        goal);
            }
            groups.add(SolverTable.group("n = " + n, contest));
        }
        return section.picture(
                "performance-obstacle.svg", "Times of all programs for the obstacle problem", TimesPlot.svg(groups));
    }

    private static List<Contender> contenders(int n, Optional<Path> sor, Optional<Path> newton) {
        List<Contender> contenders = new ArrayList<>();
        String job = "type: obstacle3d, parameters: {points: " + n + ", data: Membrane}";
        contenders.add(new Contender(SolverTable.VOLARY, new VolaryJob(job, 1, TOLERANCE)::run));
        contenders.add(new Contender(SolverTable.TWO_DAEMONS, new VolaryJob(job, VolaryJob.CORES, TOLERANCE)::run));
        String points = Integer.toString(n);
        String factor = String.format(Locale.ROOT, "%.4f", 2 / (1 + SLOPE_OF_FACTOR / (n + 1)));
        sor.ifPresent(program -> contenders.add(
                new Contender(SOR, () -> PeerProgram.mpi(program, factor, points, Double.toString(TOLERANCE)))));
        int grids = Integer.numberOfTrailingZeros((n + 1) / COARSEST_CELLS);
        newton.filter(program -> n <= LARGEST_OF_NEWTON)
                .ifPresent(program -> contenders.add(new Contender(
                        "PETSc SNESVI, CG and multigrid",
                        () -> PeerProgram.mpi(
                                program,
                                "-n",
                                points,
                                "-snes_grid_sequence",
                                Integer.toString(grids),
                                "-ksp_type",
                                "cg",
                                "-ksp_rtol",
                                "1e-4",
                                "-pc_type",
                                "mg",
                                "-pc_mg_galerkin",
                                "both"))));
        return contenders;
    }
}
