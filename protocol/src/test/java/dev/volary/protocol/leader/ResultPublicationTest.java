// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A leader with a complete result of snapshot 7, and storage that it is brought to. Times are in seconds. */
class ResultPublicationTest {
    private static final long SID = 7;
    private static final SpawnerAction PUBLISH = new SpawnerAction.PublishResult(SID);

    private final ResultPublication publication = new ResultPublication(SID, Duration.ofSeconds(60), 0);

    private static SpawnerTurn at(double seconds) {
        return new SpawnerTurn((long) (seconds * 1e9));
    }

    private List<SpawnerAction> tick(double seconds, boolean ends) {
        SpawnerTurn turn = at(seconds);
        assertEquals(ends, publication.tick(turn), "the job can end");
        return turn.actions();
    }

    private List<SpawnerAction> fail(double seconds, long sid) {
        SpawnerTurn turn = at(seconds);
        publication.failed(new SpawnerEvent.PublicationFailed(sid, "no answer"), turn);
        return turn.actions();
    }

    private static List<SpawnerAction> failure(boolean isFinal) {
        return List.of(new SpawnerAction.EmitEvent(new JobEvent.PublicationFailed("no answer", isFinal)));
    }

    @Test
    void theJobEndsOnceTheResultIsPublished() {
        assertEquals(List.of(PUBLISH), tick(0, false));
        assertEquals(List.of(), tick(30, false));
        SpawnerTurn turn = at(31);
        publication.published(new SpawnerEvent.ResultPublished(SID, "s3://results/heat"), turn);
        assertEquals(
                List.of(new SpawnerAction.EmitEvent(new JobEvent.ResultPublished("s3://results/heat"))),
                turn.actions());
        assertEquals(List.of(), tick(31, true));
    }

    @Test
    void failuresAreFollowedByOtherAttemptsAfterGrowingPauses() {
        tick(0, false);
        assertEquals(failure(false), fail(5, SID));
        assertEquals(List.of(), tick(5.9, false));
        assertEquals(List.of(PUBLISH), tick(6, false));
        fail(6, SID);
        assertEquals(List.of(), tick(7.9, false));
        assertEquals(List.of(PUBLISH), tick(8, false));
    }

    @Test
    void afterItsPatienceTheLeaderGivesUp() {
        tick(0, false);
        assertEquals(failure(true), fail(60, SID));
        assertEquals(List.of(), tick(60, true));
    }

    @Test
    void answersAboutAnEarlierSnapshotAreIgnored() {
        tick(0, false);
        assertEquals(List.of(), fail(1, SID - 1));
        SpawnerTurn turn = at(2);
        publication.published(new SpawnerEvent.ResultPublished(SID - 1, "s3://results/old"), turn);
        assertEquals(List.of(), turn.actions());
        assertEquals(List.of(), tick(3, false));
    }
}
