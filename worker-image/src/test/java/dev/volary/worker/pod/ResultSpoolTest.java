// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.v1.Certified;
import dev.volary.mesh.v1.FetchReply;
import dev.volary.mesh.v1.FetchRequest;
import dev.volary.mesh.v1.Outcome;
import dev.volary.mesh.v1.PendingResult;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a spawner keeps of its job outlives its container. */
class ResultSpoolTest {
    private static final PendingResult PENDING = PendingResult.newBuilder()
            .setSid(4)
            .setResidual(9e-9)
            .setCertified(true)
            .build();
    private static final Outcome CERTIFIED = Outcome.newBuilder()
            .setCertified(Certified.newBuilder().setSid(4).setResidual(9e-9))
            .build();

    @TempDir
    Path folder;

    private ResultSpool spool = new ResultSpool(Path.of(""));

    @BeforeEach
    void aResultOfSnapshotFour() throws IOException {
        spool = new ResultSpool(folder);
        var ignored = ZarrGroup.create(spool.result())
                .commit(new ResultAttributes("heat", "heat2d", true, 9e-9, 9e-9, 1e-8, 4).toMap());
    }

    @Test
    void aPendingResultIsServedOnceTheJobIsOver() throws IOException {
        spool.keepPending(PENDING);
        assertFalse(spool.isReady());
        assertThrows(IllegalStateException.class, this::fetch);
        spool.jobEnded(false);
        assertTrue(new ResultSpool(folder).isReady());
        assertEquals(CERTIFIED, spool.outcome().orElseThrow());
        assertTrue(spool.pending().isEmpty());
        assertEquals(spool.digest(), fetch().getLast().getDigest());
    }

    @Test
    void anotherSpawnerFetchesBeforeTheJobIsOverIfItNamesTheSnapshot() throws IOException {
        List<FetchReply> replies = new ArrayList<>();
        spool.fetch(FetchRequest.newBuilder().setSid(4).build(), replies::add);
        assertEquals(spool.digest(), replies.getLast().getDigest());
        assertThrows(
                IllegalStateException.class,
                () -> spool.fetch(FetchRequest.newBuilder().setSid(5).build(), replies::add));
    }

    @Test
    void aPendingResultOfAFailedJobIsDropped() throws IOException {
        spool.keepPending(PENDING);
        spool.jobEnded(true);
        assertTrue(spool.outcome().isEmpty());
        assertTrue(spool.pending().isEmpty());
    }

    @Test
    void aPendingResultOfAWithdrawnVerdictIsDeleted() throws IOException {
        spool.keepPending(PENDING);
        spool.forget(4);
        assertTrue(spool.pending().isPresent());
        spool.forget(5);
        spool.jobEnded(false);
        assertFalse(spool.isReady());
    }

    @Test
    void onlyAnAcknowledgementWithTheRightDigestMarksTheResultFetched() throws IOException {
        spool.recordOutcome(CERTIFIED);
        String digest = fetch().getLast().getDigest();
        assertFalse(spool.isFetched());
        String refusal = String.valueOf(assertThrows(IllegalStateException.class, () -> spool.acknowledge("another"))
                .getMessage());
        assertTrue(refusal.contains(digest) && refusal.contains("fetch it again"), refusal);
        assertFalse(spool.isFetched());
        spool.acknowledge(digest);
        spool.acknowledge(digest);
        assertTrue(spool.isFetched());
    }

    private List<FetchReply> fetch() throws IOException {
        List<FetchReply> replies = new ArrayList<>();
        spool.fetch(FetchRequest.getDefaultInstance(), replies::add);
        return replies;
    }
}
