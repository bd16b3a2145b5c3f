// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.Folders;
import dev.volary.bench.peers.Contest.Contender;
import dev.volary.bench.peers.Section.Goal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** {@code linear-system} against scipy's Krylov methods with the same local solves, and against pyamg. */
final class MatrixComparison implements Comparison {
    private static final double TOLERANCE = 1e-8;
    private static final Path EXAMPLES = Path.of("examples", "data");
    private static final int BLOCKS = 8;
    private static final int OVERLAP = 1;
    private static final int VECTORS = 6;
    /** Points along an edge. The five-point matrix is large enough that the arithmetic counts. */
    private static final Map<String, Integer> MADE = Map.of("elasticity-2d", 24, "poisson-2d", 160);

    /** Of Volary to GMRES with the same local solves. */
    private static final Goal ITERATIONS = Goal.atMost(1.5);

    private static final String GMRES = "scipy GMRES, Schwarz";
    private static final List<Solver> SOLVERS = List.of(
            new Solver(GMRES, "gmres-schwarz", false),
            new Solver("scipy CG, additive Schwarz", "cg-schwarz", true),
            new Solver("scipy CG or GMRES, pyamg aggregation", "aggregation", false),
            new Solver("scipy CG or GMRES, pyamg Ruge-Stüben", "ruge-stueben", false),
            new Solver("scipy sparse LU", "lu", false));

    private record Matrix(Path file, boolean symmetric) {}

    /**
     * A solver of the script.
     *
     * @param symmetric whether it takes symmetric matrices only
     */
    private record Solver(String name, String key, boolean symmetric) {}

    @Override
    public Section measure(PeerOptions options, Toolchain tools) throws IOException, InterruptedException {
        Section section = new Section("Sparse linear systems").text("""
                A x = b with b_i = i/n, to a residual of 1e-8 in the maximum norm, relative to b. Volary has 8 blocks on two daemons with one
                thread each; an iteration is one local solve of each block and one exchange. "Schwarz" has the same local solves: sparse
                LU of 8 overlapping patches, one layer of overlap, and a coarse space of 6 relaxed vectors for each patch. scipy and
                pyamg compute in one process without messages, in memory that all patches share. An iteration of GMRES or CG is one
                application of the preconditioner. Volary's set-up is the start of its processes.""");
        Optional<List<String>> python = tools.python("matrices.py");
        Path folder = Files.createTempDirectory("volary-peers");
        try {
            for (Matrix matrix : matrices(options, folder, python)) {
                String name = matrix.file().getFileName().toString().replaceAll("\\.mtx.*", "");
                Contest contest = Contest.hold(name, options.rounds(), contenders(matrix, python));
                section.text("**" + name + "**");
                SolverTable.add(section, contest);
                if (python.isPresent()) {
                    section.goal(
                            name + ", iterations of Volary / GMRES with Schwarz",
                            contest.median(SolverTable.VOLARY, PeerResult::iterations)
                                    / contest.median(GMRES, PeerResult::iterations),
                            ITERATIONS);
                }
            }
        } finally {
            Folders.delete(folder);
        }
        return section;
    }

    private static List<Matrix> matrices(PeerOptions options, Path folder, Optional<List<String>> python)
            throws IOException, InterruptedException {
        List<Matrix> all = new ArrayList<>(List.of(
                new Matrix(EXAMPLES.resolve("airfoil.mtx.gz"), true),
                new Matrix(EXAMPLES.resolve("recirc_flow.mtx.gz"), false)));
        if (python.isPresent() && !options.isTrial()) {
            for (String made : new TreeSet<>(MADE.keySet())) {
                Path file = folder.resolve(made + ".mtx");
                run(python.get(), List.of("make", made, Integer.toString(MADE.getOrDefault(made, 0)), file.toString()));
                all.add(new Matrix(file, true));
            }
        }
        return all;
    }

    private static List<Contender> contenders(Matrix matrix, Optional<List<String>> python) {
        List<Contender> contenders = new ArrayList<>();
        VolaryJob job = new VolaryJob(
                "type: linear-system, parameters: {matrix: \"in:%s\", rhsRule: IndexOverN, overlap: %d, vectors: %d}"
                        .formatted(matrix.file().getFileName(), OVERLAP, VECTORS),
                VolaryJob.CORES,
                BLOCKS,
                TOLERANCE,
                0,
                matrix.file().toAbsolutePath().getParent());
        contenders.add(new Contender(SolverTable.VOLARY, job::run));
        if (python.isPresent()) {
            SOLVERS.stream()
                    .filter(solver -> matrix.symmetric() || !solver.symmetric())
                    .forEach(solver -> contenders.add(
                            new Contender(solver.name(), () -> solve(python.get(), matrix.file(), solver))));
        }
        return contenders;
    }

    private static PeerResult solve(List<String> python, Path file, Solver solver)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        String said = run(
                python,
                List.of(
                        "solve",
                        file.toString(),
                        solver.key(),
                        Integer.toString(BLOCKS),
                        Integer.toString(OVERLAP),
                        Integer.toString(VECTORS),
                        Double.toString(TOLERANCE)));
        return PeerResult.parse(said, 1e-9 * (System.nanoTime() - start));
    }

    private static String run(List<String> python, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(python);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        // Threads of the linear algebra would wait for each other on blocks of a few hundred rows.
        builder.environment().put("OMP_NUM_THREADS", "1");
        builder.environment().put("OPENBLAS_NUM_THREADS", "1");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + said.strip());
        }
        return said;
    }
}
