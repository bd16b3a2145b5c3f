// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.mesh.v1.StatusReply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The leader is killed at moments after the verdict: each result arrives. Not a part of the suite, for each kill takes a quarter of a
 * minute: {@code e2e/run answers} runs it, and the system property {@code volary.kills} says how many there are.
 */
@OnSharedCluster
class LeaderKills {
    private static final int KILLS = Integer.getInteger("volary.kills", 6);

    private static final String SPEC = Specs.pairs("384Mi") + """
            podRetention: All
            chaos: {allowed: true}
            problem: {type: heat2d, parameters: {points: 512}}
            convergence: {tolerance: "1e-6"}
            """;

    /** When the leader is killed: some time after a certified residual within the tolerance, or at a later event. */
    enum Moment {
        AT_THE_VERDICT(0),
        AFTER_50_MS(50),
        AFTER_150_MS(150),
        AFTER_400_MS(400),
        WHEN_THE_LEADER_KNOWS_THE_OUTCOME(-1),
        WHEN_THE_STATUS_SAYS_SUCCEEDED(-1);

        private final int millis;

        Moment(int millis) {
            this.millis = millis;
        }
    }

    /**
     * A kill.
     *
     * @param isPodDeleted whether the leader's pod is deleted too, so that what its container wrote is gone
     */
    record Kill(int number, Moment moment, boolean isPodDeleted) {}

    static Stream<Kill> kills() {
        Moment[] moments = Moment.values();
        return IntStream.range(0, KILLS)
                .mapToObj(i -> new Kill(i, moments[i % moments.length], i / moments.length % 2 == 0));
    }

    @ParameterizedTest
    @MethodSource("kills")
    void theResultArrives(Kill kill, @TempDir Path folder) throws Exception {
        try (ClusterJob job = new ClusterJob("kill-" + kill.number, SPEC)) {
            job.awaitIteratingWithTwoSpawners();
            String leader = job.leader();
            long verdict;
            try (Spawner leading = Spawner.of(job, leader);
                    Spawner second = Spawner.of(job, job.spawnerBeside(leader))) {
                verdict = await(kill.moment, job, leading);
                second.client().kill(List.of(leader));
            }
            long killed = System.nanoTime();
            if (kill.isPodDeleted) {
                job.deleteAtOnce(List.of(leader));
            }
            job.awaitSuccess();
            Duration success = Duration.ofNanos(System.nanoTime() - killed);
            assertEquals("True Certified", job.condition("Converged"));
            job.until("has its result", () -> job.condition("ResultAvailable").startsWith("True"));
            VolaryCommand.Said said = VolaryCommand.run(job, "fetch", "-o", folder.toString());
            assertEquals(0, said.status(), said.text());
            Certificates.check(Fetched.in(job, folder));
            System.out.printf(
                    Locale.ROOT,
                    "kill %d, %s%s: %d ms after the verdict, succeeded %.1f s later, fetched%n",
                    kill.number,
                    kill.moment,
                    kill.isPodDeleted ? ", pod deleted" : "",
                    Duration.ofNanos(killed - verdict).toMillis(),
                    success.toMillis() / 1e3);
        }
    }

    /** Returns when the verdict was seen, once the moment has come. */
    private static long await(Moment moment, ClusterJob job, Spawner leading) throws Exception {
        StatusReply status = leading.awaitStatus(Spawner::isWithinTolerance);
        long verdict = System.nanoTime();
        switch (moment) {
            case AT_THE_VERDICT, AFTER_50_MS, AFTER_150_MS, AFTER_400_MS ->
                LockSupport.parkNanos(Duration.ofMillis(moment.millis).toNanos());
            case WHEN_THE_LEADER_KNOWS_THE_OUTCOME -> {
                if (!status.hasOutcome()) {
                    leading.awaitStatus(StatusReply::hasOutcome);
                }
            }
            case WHEN_THE_STATUS_SAYS_SUCCEEDED -> job.awaitSuccess();
        }
        return verdict;
    }
}
