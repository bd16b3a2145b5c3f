// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.chaos;

import dev.volary.cli.chaos.ChaosPlan.Fault;
import dev.volary.cli.console.TimeOption;
import dev.volary.cli.console.UsageException;
import dev.volary.job.spec.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/** The options for fault injection, shared by {@code run} and {@code simulate}. */
public final class ChaosOptions {
    private static final int DEFAULT_ZONES = 2;

    @Option(
            names = "--kill",
            paramLabel = "N",
            description = "Kill N randomly chosen daemons, again and again; requires --every.")
    private Optional<Integer> kill = Optional.empty();

    @Option(names = "--every", paramLabel = "TIME", description = "Time between kills, for example 30s.")
    private Optional<String> every = Optional.empty();

    @Option(names = "--per-zone", description = "Kill N workers in each zone, at the same time.")
    private boolean perZone;

    @Option(names = "--spawners", description = "Choose spawners too, not only daemons.")
    private boolean spawners;

    @Option(
            names = "--pause",
            paramLabel = "TIME",
            description = "Pause the chosen workers for TIME instead of killing them.")
    private Optional<String> pause = Optional.empty();

    @Option(names = "--leave", description = "Ask the chosen workers to leave (SIGTERM) instead of killing them.")
    private boolean leave;

    @Option(
            names = "--zones",
            paramLabel = "Z",
            description = "Number of simulated zones; workers are assigned round-robin. Default: 2 with --kill.")
    private Optional<Integer> zones = Optional.empty();

    /** Whether fault injection is requested. */
    public boolean isGiven() {
        return kill.isPresent();
    }

    /** The number of simulated zones; 0 for none. */
    public int zones() throws UsageException {
        if (zones.isPresent() && zones.get() < 1) {
            throw new UsageException("--zones is " + zones.get() + ", must be 1 or more");
        }
        return zones.orElse(kill.isPresent() ? DEFAULT_ZONES : 0);
    }

    /**
     * The requested fault injection; empty if none is requested.
     *
     * @throws UsageException if options contradict each other, or if no daemon or no spawner would be left
     */
    public Optional<ChaosPlan> plan(JobSpec job) throws UsageException {
        return plan(job.daemons().replicas() + job.daemons().standbys(), job.spawnerCount());
    }

    /**
     * As {@link #plan(JobSpec)}, with other numbers of workers.
     *
     * @param daemons including standbys
     */
    public Optional<ChaosPlan> plan(int daemons, int spawnerCount) throws UsageException {
        if (kill.isEmpty()) {
            rejectWithoutKill();
            return Optional.empty();
        }
        if (kill.get() < 1) {
            throw new UsageException("--kill is " + kill.get() + ", must be 1 or more");
        }
        if (every.isEmpty()) {
            throw new UsageException("--kill requires --every; write it as --kill " + kill.get() + " --every 30s");
        }
        if (pause.isPresent() && leave) {
            throw new UsageException("--pause and --leave exclude each other; remove one of them");
        }
        Fault fault = pause.isPresent() ? Fault.PAUSE : leave ? Fault.LEAVE : Fault.KILL;
        ChaosPlan plan = new ChaosPlan(
                kill.get(),
                TimeOption.positive("--every", every.get()),
                perZone,
                spawners,
                fault,
                pause.isPresent() ? TimeOption.positive("--pause", pause.get()) : Duration.ZERO);
        rejectIfNoneIsLeft(daemons, spawnerCount, zones());
        return Optional.of(plan);
    }

    /**
     * What a user should know before such a run, one sentence each.
     *
     * @param hasTimeSteps whether the problem has time steps
     */
    public List<String> notices(JobSpec job, boolean hasTimeSteps) {
        List<String> notices = new ArrayList<>();
        boolean inStep = job.scheme() == JobSpec.Scheme.Synchronous;
        if (kill.isPresent() && inStep && hasTimeSteps) {
            notices.add(
                    "spec.scheme is Synchronous and the problem has time steps, so the loss of a daemon ends the job;"
                            + " Asynchronous survives it");
        } else if (kill.isPresent() && inStep) {
            notices.add(
                    "spec.scheme is Synchronous: each lost daemon rolls all blocks back to their newest common checkpoint");
        } else if (kill.isPresent() && job.daemons().standbys() == 0) {
            notices.add("spec.daemons.standbys is 0: blocks of a lost daemon move to other daemons if their memory"
                    + " allows; otherwise they wait until the daemon is replaced");
        }
        return notices;
    }

    private void rejectWithoutKill() throws UsageException {
        List<String> given = new ArrayList<>();
        every.ifPresent(time -> given.add("--every"));
        if (perZone) {
            given.add("--per-zone");
        }
        if (spawners) {
            given.add("--spawners");
        }
        pause.ifPresent(time -> given.add("--pause"));
        if (leave) {
            given.add("--leave");
        }
        if (!given.isEmpty()) {
            throw new UsageException(given.getFirst() + " requires --kill; add --kill 1 --every 30s, or remove it");
        }
    }

    private void rejectIfNoneIsLeft(int daemons, int spawnerCount, int zoneCount) throws UsageException {
        int chosen = perZone ? inZones(daemons, zoneCount) : kill.orElse(0);
        if (spawners && spawnerCount == 1) {
            throw new UsageException("--spawners would kill the only spawner, so that no leader is left;"
                    + " raise spec.spawners.replicas to 2 or remove --spawners");
        }
        int most = spawners && !perZone ? daemons - 1 + spawnerCount - 1 : daemons - 1;
        if (chosen > most) {
            throw new UsageException(
                    "--kill " + kill.orElse(0) + (perZone ? " --per-zone" : "") + " would leave none of "
                            + daemons + " daemons" + (spawners ? " or of " + spawnerCount + " spawners" : "")
                            + " (replicas and standbys); lower it or raise spec.daemons.standbys");
        }
    }

    /** Daemons that fail at a time, with {@code daemons} assigned round-robin to the zones. */
    private int inZones(int daemons, int zoneCount) {
        return IntStream.range(0, zoneCount)
                .map(zone -> Math.min(kill.orElse(0), Math.ceilDiv(daemons - zone, zoneCount)))
                .sum();
    }
}
