// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import dev.volary.mesh.job.BlockStateBound;
import dev.volary.mesh.job.DaemonHeap;
import dev.volary.mesh.job.SpawnerResources;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.mesh.v1.SchemeKind;
import dev.volary.mesh.v1.ToleranceNorm;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.JobGraph.BlockShape;
import dev.volary.protocol.model.Tolerance;
import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.InputFolders;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Preflight;
import dev.volary.solver.Problem;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.solver.Subdomain;
import dev.volary.solver.TimeStepping;
import dev.volary.zarr.guess.InitialGuess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The job's problem as this worker has opened it. Every worker arrives at the same one.
 *
 * @param model the opened problem
 * @param decomposition into the job's number of blocks
 * @param edges by the pair of blocks
 * @param guess what blocks start from; empty for the problem's own start values
 */
public record OpenedProblem(
        Model model, Decomposition decomposition, Map<Pair, Edge> edges, Optional<InitialGuess> guess) {

    private static final String PROBLEM = "spec.problem";
    private static final String TYPE = "spec.problem.type";
    private static final String TOLERANCE = "spec.convergence.tolerance";

    /** An ordered pair of blocks. */
    record Pair(int from, int to) {}

    /**
     * Opens the problem that a job names.
     *
     * @throws InvalidProblemException if there is no such problem here, or it refuses its parameters or files, or the job's initial
     *     guess is not of its shape
     */
    public static OpenedProblem open(JobDescription job) throws InvalidProblemException {
        Problem problem = find(job.getProblem());
        Map<String, Object> given = new HashMap<>();
        job.getParametersMap().forEach((name, value) -> given.put(name, plain(value)));
        InputFolders inputs = inputs(job);
        Model model = RedundantCoarseModel.of(problem.open(ParameterValues.of(problem.parameters(), given), inputs));
        Decomposition decomposition = model.decompose(job.getBlocks());
        Map<Pair, Edge> edges = new HashMap<>();
        for (Edge edge : decomposition.edges()) {
            edges.put(new Pair(edge.from(), edge.to()), edge);
        }
        Optional<InitialGuess> guess = job.getInitialGuess().isEmpty()
                ? Optional.empty()
                : Optional.of(InitialGuess.open(job.getInitialGuess(), inputs, model));
        return new OpenedProblem(model, decomposition, Map.copyOf(edges), guess);
    }

    /**
     * The description with the numbers that only the opened problem knows.
     *
     * @throws InvalidProblemException if the tolerance is no positive number, or cannot be reached, or no solution is unique
     */
    public JobDescription completed(JobDescription job) throws InvalidProblemException {
        double given;
        try {
            given = Double.parseDouble(job.getTolerance());
        } catch (NumberFormatException e) {
            given = Double.NaN;
        }
        model.selfCheck();
        boolean isRelative = job.getNorm() == ToleranceNorm.NORM_RELATIVE;
        Tolerance tolerance = Tolerance.of(given, isRelative, model.scale());
        double floor = model.attainableFloor();
        if (!(given > 0 && Double.isFinite(given))) {
            throw new InvalidProblemException(
                    TOLERANCE, "is " + job.getTolerance(), "give a positive number, as \"1e-6\"");
        } else if (tolerance.relative() < floor) {
            throw new InvalidProblemException(
                    TOLERANCE,
                    "is " + job.getTolerance() + ", below the attainable "
                            + String.format(Locale.ROOT, "%.2g", isRelative ? floor : floor * model.scale())
                            + " for this problem",
                    "raise it");
        }
        return job.toBuilder()
                .setAbsoluteTolerance(tolerance.absolute())
                .setScale(model.scale())
                .setField(model.field())
                .setBlocks(decomposition.blocks())
                .build();
    }

    /**
     * Checks what only the opened problem shows, where the command line could not: the convergence of the iteration and the memory
     * that a spawner needs.
     *
     * @param heapBytes of this spawner
     * @throws InvalidProblemException with field, value and remedy
     */
    public void check(JobDescription job, long heapBytes) throws InvalidProblemException {
        boolean mayDiverge = job.getAcceptRisk() || job.getScheme() == SchemeKind.SCHEME_SYNCHRONOUS;
        if (!mayDiverge) {
            Optional<Preflight> known = model.preflight(decomposition);
            if (known.isPresent() && known.get().verdict() == Preflight.Verdict.REFUTED) {
                throw new InvalidProblemException(
                        PROBLEM,
                        "fails the pre-flight check: " + known.get().finding(),
                        known.get().remedy());
            }
        }
        BlockStateBound largest = BlockStateBound.largest(decomposition.stateSizes());
        if (job.getCopies() > 0 && !largest.isKept()) {
            throw new InvalidProblemException("spec.blocks", largest.refusal(), largest.remedy());
        }
        SpawnerResources needed = spawnerResources(job);
        if (needed.leastHeapBytes() > heapBytes) {
            throw new InvalidProblemException(
                    "spec.spawners.template", needed.heapRefusal(heapBytes), needed.heapRemedy());
        }
    }

    /** What the job needs of a spawner. */
    public SpawnerResources spawnerResources(JobDescription job) {
        List<Subdomain> parts = decomposition.parts();
        return new SpawnerResources(
                decomposition.unknowns().size(),
                parts.stream().allMatch(part -> part.core() instanceof Box),
                job.getCopies(),
                generations(job),
                job.getExpectedDaemons(),
                job.getExpectedSpawners());
    }

    /** The heap of a daemon of this job. */
    public DaemonHeap daemonHeap(JobDescription job) {
        return DaemonHeap.of(
                decomposition.stateSizes(), job.getCopies(), generations(job), Math.max(1, job.getExpectedDaemons()));
    }

    /** Backups of one block that a holder keeps. */
    private static int generations(JobDescription job) {
        return job.getScheme() == SchemeKind.SCHEME_SYNCHRONOUS ? 2 : 1;
    }

    /** The edge between two blocks, if values travel that way. */
    public Optional<Edge> edge(int from, int to) {
        return Optional.ofNullable(edges.get(new Pair(from, to)));
    }

    /** Time steps of the whole job; 0 for a stationary problem. */
    public int steps() {
        return model.timeStepping().map(TimeStepping::steps).orElse(0);
    }

    /** The decomposition as the protocols see it: blocks, their neighbors and their cost. */
    public JobGraph jobGraph() {
        List<List<Integer>> sources = emptyLists(decomposition.blocks());
        List<List<Integer>> readers = emptyLists(decomposition.blocks());
        for (Edge edge : decomposition.edges()) {
            sources.get(edge.to()).add(edge.from());
            readers.get(edge.from()).add(edge.to());
        }
        List<BlockShape> blocks = new ArrayList<>();
        for (Subdomain part : decomposition.parts()) {
            blocks.add(new BlockShape(
                    sources.get(part.id()).stream().sorted().toList(),
                    readers.get(part.id()).stream().sorted().toList(),
                    part.bytes(),
                    part.work()));
        }
        return new JobGraph(blocks, steps());
    }

    private static List<List<Integer>> emptyLists(int count) {
        return Stream.generate(() -> (List<Integer>) new ArrayList<Integer>())
                .limit(count)
                .toList();
    }

    private static Problem find(String name) throws InvalidProblemException {
        List<String> others = new ArrayList<>();
        try {
            for (Problem problem : ServiceLoader.load(Problem.class)) {
                if (problem.name().equals(name)) {
                    return problem;
                }
                others.add(problem.name());
            }
        } catch (ServiceConfigurationError brokenJar) {
            throw new InvalidProblemException(
                    TYPE,
                    "is \"" + name
                            + "\", which was not found: a solver jar in the worker image cannot be loaded ("
                            + brokenJar.getMessage() + ")",
                    "correct or remove it");
        }
        Collections.sort(others);
        throw new InvalidProblemException(
                TYPE,
                "is \"" + name + "\", but the workers' image has no such problem",
                "use one of " + String.join(", ", others)
                        + ", or put the jar that brings it into the image's folder /opt/volary/solvers");
    }

    /** Where the job's input references lead on this machine. */
    static InputFolders inputs(JobDescription job) {
        Map<String, Path> folders = new HashMap<>();
        job.getInputsMap().forEach((name, folder) -> folders.put(name, Path.of(folder)));
        return new InputFolders(folders);
    }

    private static Object plain(ParameterValue value) {
        return switch (value.getValueCase()) {
            case WHOLE -> value.getWhole();
            case REAL -> value.getReal();
            case FLAG -> value.getFlag();
            case TEXT, VALUE_NOT_SET -> value.getText();
        };
    }
}
