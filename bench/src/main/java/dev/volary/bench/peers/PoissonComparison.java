// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.peers.Contest.Contender;
import dev.volary.bench.peers.Section.Goal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code poisson3d} against PETSc's conjugate gradients with several preconditioners. */
final class PoissonComparison implements Comparison {
    private static final double TOLERANCE = 1e-8;
    private static final String PETSC = "PETSc";
    /** Of the time from iterating to certified to PETSc's fastest solve, by the size of the grid. */
    private static final Map<Integer, Goal> GOALS = Map.of(127, Goal.atMost(0.3), 255, Goal.atMost(0.12));
    /** From this size on the whole command has a goal too. */
    private static final int LARGE = 255;

    private static final Map<String, List<String>> PRECONDITIONERS = preconditioners();

    private static Map<String, List<String>> preconditioners() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        all.put(
                "PETSc CG, multigrid with SSOR",
                List.of(
                        "-mg_levels_ksp_type",
                        "richardson",
                        "-mg_levels_ksp_max_it",
                        "1",
                        "-mg_levels_pc_type",
                        "sor"));
        all.put("PETSc CG, multigrid with Chebyshev and SSOR", List.of());
        all.put(
                "PETSc CG, multigrid with Chebyshev and Jacobi",
                List.of(
                        "-mg_levels_ksp_type",
                        "chebyshev",
                        "-mg_levels_ksp_max_it",
                        "2",
                        "-mg_levels_pc_type",
                        "jacobi"));
        all.put("PETSc CG, GAMG", List.of("-hierarchy", "false", "-pc_type", "gamg"));
        all.put(
                "PETSc CG, hypre BoomerAMG",
                List.of(
                        "-hierarchy",
                        "false",
                        "-pc_type",
                        "hypre",
                        "-pc_hypre_type",
                        "boomeramg",
                        "-pc_hypre_boomeramg_coarsen_type",
                        "HMIS",
                        "-pc_hypre_boomeramg_interp_type",
                        "ext+i"));
        return all;
    }

    @Override
    public Section measure(PeerOptions options, Toolchain tools) throws IOException, InterruptedException {
        Section section = new Section("Poisson's equation on a cube").text("""
                −Δu = 1 on the unit cube, seven-point differences, to a residual of 1e-8 in the maximum norm, relative to the right-hand
                side. Every program computes the residual again at its end. Volary has one daemon with two threads, or two daemons,
                whose halos and backups are encrypted; PETSc has two ranks. Volary's solve is the time from iterating to certified; its
                command also writes the result. A program that takes longer than a minute runs once.""");
        Optional<Path> petsc = tools.petsc("poisson.c");
        List<TimesPlot.Group> groups = new ArrayList<>();
        for (int n : options.sizes()) {
            Contest contest = Contest.hold("poisson3d " + n, options.rounds(), contenders(n, petsc));
            section.text("**n = " + n + "**");
            SolverTable.add(section, contest);
            addGoals(section, n, contest);
            groups.add(SolverTable.group("n = " + n, contest));
        }
        return section.picture(
                "performance-poisson.svg", "Times of all programs for Poisson's equation", TimesPlot.svg(groups));
    }

    private static List<Contender> contenders(int n, Optional<Path> petsc) {
        List<Contender> contenders = new ArrayList<>();
        String job = "type: poisson3d, parameters: {points: " + n + "}";
        contenders.add(new Contender(SolverTable.VOLARY, new VolaryJob(job, 1, TOLERANCE)::run));
        contenders.add(new Contender(SolverTable.TWO_DAEMONS, new VolaryJob(job, VolaryJob.CORES, TOLERANCE)::run));
        petsc.ifPresent(program -> PRECONDITIONERS.forEach((name, choice) -> {
            List<String> arguments = new ArrayList<>(List.of("-n", Integer.toString(n)));
            arguments.addAll(choice);
            contenders.add(new Contender(name, () -> PeerProgram.mpi(program, arguments.toArray(String[]::new))));
        }));
        return contenders;
    }

    private static void addGoals(Section section, int n, Contest contest) {
        Optional<String> best = contest.best(PETSC, PeerResult::solveSeconds);
        if (best.isEmpty()) {
            return;
        }
        double solve = contest.median(SolverTable.VOLARY, PeerResult::solveSeconds)
                / contest.median(best.get(), PeerResult::solveSeconds);
        Goal goal = GOALS.get(n);
        if (goal != null) {
            section.goal("Volary / fastest solve of PETSc, n = " + n, solve, goal);
        }
        Optional<String> fastest = contest.best(PETSC, PeerResult::wholeSeconds);
        if (n >= LARGE && fastest.isPresent()) {
            double whole = contest.median(SolverTable.VOLARY, PeerResult::wholeSeconds)
                    / contest.median(fastest.get(), PeerResult::wholeSeconds);
            section.goal("Whole commands, Volary / fastest mpirun, n = " + n, whole, Goal.atMost(1));
        }
    }
}
