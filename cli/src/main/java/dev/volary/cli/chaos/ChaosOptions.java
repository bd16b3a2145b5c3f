// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.chaos;

import dev.volary.cli.TimeOption;
import dev.volary.cli.UsageException;
import dev.volary.cli.chaos.ChaosPlan.Kind;
import dev.volary.job.spec.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/** The options that provoke crashes, in real processes and in simulated ones. */
public final class ChaosOptions {
    private static final int DEFAULT_ZONES = 2;

    @Option(
            names = "--kill",
            paramLabel = "N",
            description = "Kill N daemons, drawn by chance, again and again; needs --every.")
    private Optional<Integer> kill = Optional.empty();

    @Option(names = "--every", paramLabel = "TIME", description = "Time between kills, as 30s.")
    private Optional<String> every = Optional.empty();

    @Option(names = "--per-zone", description = "Kill N in each zone, at the same time.")
    private boolean perZone;

    @Option(names = "--spawners", description = "Kill spawners too.")
    private boolean spawners;

    @Option(names = "--pause", paramLabel = "TIME", description = "Stop them for so long instead of killing them.")
    private Optional<String> pause = Optional.empty();

    @Option(names = "--leave", description = "Ask them to leave (SIGTERM) instead of killing them.")
    private boolean leave;

    @Option(
            names = "--zones",
            paramLabel = "Z",
            description = "Deal the workers out over Z simulated zones; two with --kill if not given.")
    private Optional<Integer> zones = Optional.empty();

    /** Whether crashes were asked for. */
    public boolean isGiven() {
        return kill.isPresent();
    }

    /** The number of simulated zones; 0 if workers have none. */
    public int zones() throws UsageException {
        if (zones.isPresent() && zones.get() < 1) {
            throw new UsageException("--zones is " + zones.get() + ", must be 1 or more");
        }
        return zones.orElse(kill.isPresent() ? DEFAULT_ZONES : 0);
    }

    /**
     * What was asked for, if anything.
     *
     * @throws UsageException if options contradict each other, or would leave nobody
     */
    public Optional<ChaosPlan> plan(JobSpec job) throws UsageException {
        return plan(job.daemons().replicas() + job.daemons().standbys(), job.spawnerCount());
    }

    /**
     * As {@link #plan(JobSpec)}, of other numbers of workers.
     *
     * @param daemons standbys included
     */
    public Optional<ChaosPlan> plan(int daemons, int spawnerCount) throws UsageException {
        if (kill.isEmpty()) {
            refuseWithoutKill();
            return Optional.empty();
        }
        if (kill.get() < 1) {
            throw new UsageException("--kill is " + kill.get() + ", must be 1 or more");
        }
        if (every.isEmpty()) {
            throw new UsageException("--kill needs --every; write it as --kill " + kill.get() + " --every 30s");
        }
        if (pause.isPresent() && leave) {
            throw new UsageException("--pause and --leave exclude each other; leave one of them out");
        }
        Kind manner = pause.isPresent() ? Kind.PAUSE : leave ? Kind.LEAVE : Kind.KILL;
        ChaosPlan plan = new ChaosPlan(
                kill.get(),
                TimeOption.positive("--every", every.get()),
                perZone,
                spawners,
                manner,
                pause.isPresent() ? TimeOption.positive("--pause", pause.get()) : Duration.ZERO);
        refuseToLeaveNobody(daemons, spawnerCount, zones());
        return Optional.of(plan);
    }

    /**
     * What a user should know before such a run, a sentence each.
     *
     * @param marches the problem marches in time
     */
    public List<String> notices(JobSpec job, boolean marches) {
        List<String> notices = new ArrayList<>();
        boolean inStep = job.scheme() == JobSpec.Scheme.Synchronous;
        if (kill.isPresent() && inStep && marches) {
            notices.add("spec.scheme is Synchronous and the problem marches in time, where a lost daemon ends the job;"
                    + " Asynchronous survives it");
        } else if (kill.isPresent() && inStep) {
            notices.add(
                    "spec.scheme is Synchronous: each lost daemon takes all blocks back to their newest common checkpoint");
        } else if (kill.isPresent() && job.daemons().standbys() == 0) {
            notices.add("spec.daemons.standbys is 0: blocks of a lost daemon go to the others as far as their memory"
                    + " allows, and wait for the process in its place otherwise");
        }
        return notices;
    }

    private void refuseWithoutKill() throws UsageException {
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
            throw new UsageException(
                    given.getFirst() + " needs --kill; write it as --kill 1 --every 30s, or leave it out");
        }
    }

    private void refuseToLeaveNobody(int daemons, int spawnerCount, int zoneCount) throws UsageException {
        int hit = perZone ? inZones(daemons, zoneCount) : kill.orElse(0);
        if (spawners && spawnerCount == 1) {
            throw new UsageException("--spawners would hit the only spawner, and nobody would be left to lead;"
                    + " raise spec.spawners.replicas to 2 or leave --spawners out");
        }
        int most = spawners && !perZone ? daemons - 1 + spawnerCount - 1 : daemons - 1;
        if (hit > most) {
            throw new UsageException(
                    "--kill " + kill.orElse(0) + (perZone ? " --per-zone" : "") + " would leave none of "
                            + daemons + " daemons" + (spawners ? " or of " + spawnerCount + " spawners" : "")
                            + " (replicas and standbys); lower it or raise spec.daemons.standbys");
        }
    }

    /** Daemons hit at a time when so many are dealt out over the zones. */
    private int inZones(int daemons, int zoneCount) {
        return IntStream.range(0, zoneCount)
                .map(zone -> Math.min(kill.orElse(0), Math.ceilDiv(daemons - zone, zoneCount)))
                .sum();
    }
}
