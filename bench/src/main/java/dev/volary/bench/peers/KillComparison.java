// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.Folders;
import dev.volary.bench.StartedJob;
import dev.volary.bench.VolaryRun;
import dev.volary.bench.peers.Contest.Contender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * Point relaxation to a tolerance, with and without kills: a job with one standby against a program of C and MPI that saves its
 * values and is started again, from the newest save, whenever a rank is killed. Beside them time steps by multigrid, the job of that
 * method that lasts long enough to be killed.
 */
final class KillComparison implements Comparison {
    private static final double TOLERANCE = 1e-6;
    /** About the interval that loses least for a kill every 10 s and a save of 0.1 s (J. W. Young, 1974). */
    private static final double SECONDS_BETWEEN_SAVES = 1.5;

    private static final String KILLED = ", killed";
    private static final String VOLARY_KILLED = SolverTable.VOLARY + KILLED;
    private static final String STEPPED = "Volary, time steps";
    private static final String STEPPED_KILLED = STEPPED + KILLED;
    private static final String IN_C = "C + MPI";
    private static final String IN_C_KILLED = IN_C + KILLED;

    @Override
    public Section measure(PeerOptions options, Toolchain tools) throws IOException, InterruptedException {
        int n = options.relaxationPoints();
        String every = Section.count(options.secondsBetweenKills());
        Steps steps = n < 100 ? new Steps(63, 20) : new Steps(1023, 300);
        Section section = new Section("Jobs with kills")
                .text("""
                Point relaxation: projected Jacobi on the membrane, n = %d, to a natural residual of 1e-6. Time steps: `heat2d-implicit` on
                %d² points, %d steps by multigrid, each certified to 1e-8. All from start to exit of the whole command. In the killed runs a
                process that computes gets SIGKILL every %s s, counted from the start of the command. Volary has one standby. C and MPI save
                all values durably every %s s; a loop starts the program again at once after a kill, and it continues from the newest save.
                The run without kills saves nothing.""".formatted(n, steps.points(), steps.count(), every, Section.number(SECONDS_BETWEEN_SAVES)));
        Map<String, Integer> kills = new HashMap<>();
        List<Contender> contenders = new ArrayList<>();
        contenders.add(new Contender(SolverTable.VOLARY, relaxation(n)::run));
        contenders.add(new Contender(
                VOLARY_KILLED,
                () -> killedJob(relaxation(n), options, () -> kills.merge(VOLARY_KILLED, 1, Integer::sum))));
        contenders.add(new Contender(STEPPED, steps.job()::run));
        contenders.add(new Contender(
                STEPPED_KILLED,
                () -> killedJob(steps.job(), options, () -> kills.merge(STEPPED_KILLED, 1, Integer::sum))));
        Optional<Path> inC = tools.mpi("obstacle.c");
        if (inC.isPresent()) {
            String points = Integer.toString(n);
            String tolerance = Double.toString(TOLERANCE);
            contenders.add(new Contender(IN_C, () -> PeerProgram.mpi(inC.get(), "jacobi", points, tolerance)));
            contenders.add(new Contender(
                    IN_C_KILLED,
                    () -> killedProgram(inC.get(), options, count -> kills.merge(IN_C_KILLED, count, Integer::sum))));
        }
        Contest contest = Contest.hold("kills " + n, options.rounds(), contenders);
        List<List<String>> rows = new ArrayList<>();
        for (String name : contest.names()) {
            double killsInRun = (double) kills.getOrDefault(name, 0) / options.rounds();
            String calm = name.replace(KILLED, "");
            rows.add(List.of(
                    name,
                    Section.count(killsInRun),
                    Section.count(contest.median(name, PeerResult::iterations)),
                    Section.small(contest.largest(name, PeerResult::residual)),
                    Section.number(contest.median(name, PeerResult::wholeSeconds)),
                    Section.number(contest.median(name, PeerResult::wholeSeconds)
                            / contest.median(calm, PeerResult::wholeSeconds))));
        }
        section.table(
                List.of(
                        "program",
                        "kills in a run",
                        "iterations",
                        "residual",
                        "whole command, s",
                        "time / time without kills"),
                rows);
        contest.failures().forEach((name, reason) -> section.text(name + " has no result: " + reason));
        double ratio = contest.median(VOLARY_KILLED, PeerResult::wholeSeconds)
                / contest.median(IN_C_KILLED, PeerResult::wholeSeconds);
        section.text("Point relaxation with kills, whole commands, Volary / C + MPI: **%s**."
                .formatted(Section.number(ratio)));
        return section.picture(
                "performance-kills.svg",
                "Times with and without kills",
                TimesPlot.svg(List.of(new TimesPlot.Group(
                        "A kill every " + every + " s",
                        contest.names().stream()
                                .map(name -> new TimesPlot.Row(
                                        name,
                                        Double.NaN,
                                        contest.median(name, PeerResult::wholeSeconds),
                                        name.startsWith(SolverTable.VOLARY)))
                                .toList()))));
    }

    /** Time steps of one job. */
    private record Steps(int points, int count) {
        VolaryJob job() {
            return new VolaryJob(
                    "type: heat2d-implicit, parameters: {points: %d, equilibrium: X2Y2, steps: %d, stepLength: 0.002}"
                            .formatted(points, count),
                    VolaryJob.CORES,
                    VolaryJob.CORES,
                    1e-8,
                    1,
                    null);
        }
    }

    private static VolaryJob relaxation(int n) {
        return new VolaryJob(
                "type: obstacle3d, parameters: {points: " + n + ", data: Membrane, method: Relaxation}",
                VolaryJob.CORES,
                VolaryJob.CORES,
                TOLERANCE,
                1,
                null);
    }

    private static PeerResult killedJob(VolaryJob description, PeerOptions options, Runnable onKill)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (StartedJob job =
                StartedJob.start(description.manifest(), Map.of(), Stream.of("--no-picture", "--threads", "1"))) {
            KillSchedule schedule = new KillSchedule(start, options.secondsBetweenKills());
            while (schedule.await(job::isAlive)) {
                List<String> serving = job.serving().stream()
                        .map(row -> row.path("name").asText())
                        .toList();
                if (!serving.isEmpty()) {
                    job.kill(serving.get(schedule.number() % serving.size()));
                    onKill.run();
                }
            }
            int status = job.end();
            double seconds = 1e-9 * (System.nanoTime() - start);
            return PeerResult.of(new VolaryRun(seconds, status, job.lines()), description.blocks());
        }
    }

    private static PeerResult killedProgram(Path program, PeerOptions options, IntConsumer onKills)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("volary-peers");
        try (RestartedProgram restarted = new RestartedProgram(
                program,
                List.of(
                        "jacobi",
                        Integer.toString(options.relaxationPoints()),
                        Double.toString(TOLERANCE),
                        folder.resolve("values").toString(),
                        String.format(Locale.ROOT, "%.2f", SECONDS_BETWEEN_SAVES)))) {
            PeerResult result = restarted.run(options.secondsBetweenKills());
            onKills.accept(restarted.kills());
            return result;
        } finally {
            Folders.delete(folder);
        }
    }
}
