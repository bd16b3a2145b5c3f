// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import dev.volary.mesh.arbiter.Arbiter;
import dev.volary.mesh.arbiter.LeaseArbiter;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.model.WorkerId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The arbiter of jobs on a cluster, against an API server over HTTPS. */
class LeaseArbiterTest extends ArbiterContract {
    private static final WorkerId LEAD = new WorkerId(0xab);
    private static final LeaderElectionRecord FIRST = record(LEAD, 1, LEAD, new WorkerId(0xcd));
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-05-01T12:00:00Z"), ZoneOffset.UTC);

    @TempDir
    Path folder;

    private FakeApiServer server;

    @BeforeEach
    void startServer() throws Exception {
        server = new FakeApiServer(folder);
        server.create("science", "heat");
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    @Override
    Arbiter client() {
        return new LeaseArbiter(server.address(), "science/heat", NOON);
    }

    @Test
    void theLeaseNamesTheLeaderInTheFieldsOfKubernetes() throws Exception {
        client().compareAndSet(LeaderElectionRecord.EMPTY, FIRST);
        JsonObject lease = server.lease("science", "heat");
        JsonObject spec = lease.getAsJsonObject("spec");
        assertEquals("ab", spec.get("holderIdentity").getAsString());
        assertEquals("1", spec.get("leaseTransitions").toString()); // a whole number, as the API server demands
        assertEquals("2026-05-01T12:00:00.000000Z", spec.get("acquireTime").getAsString());
        assertEquals(
                "ab,cd",
                lease.getAsJsonObject("metadata")
                        .getAsJsonObject("annotations")
                        .get("volary.dev/log-members")
                        .getAsString());
    }

    @Test
    void aTokenThatWasRenewedIsReadAgain() throws Exception {
        Arbiter arbiter = client();
        arbiter.read();
        server.token("second");
        assertEquals(LeaderElectionRecord.EMPTY, arbiter.read());
    }

    @Test
    void theErrorForAMissingLeaseNamesItAndItsCreator() {
        Arbiter arbiter = new LeaseArbiter(server.address(), "science/other", NOON);
        String message =
                String.valueOf(assertThrows(IOException.class, arbiter::read).getMessage());
        assertTrue(message.contains("science/leases/other") && message.contains("operator"), message);
    }

    @Test
    void aDeletedJobHasNoRecordAnyMore() throws Exception {
        Arbiter arbiter = client();
        assertTrue(arbiter.exists());
        server.delete("science", "heat");
        assertFalse(arbiter.exists());
        server.goAway();
        assertThrows(IOException.class, arbiter::exists, "whether it is deleted is not known");
    }

    @Test
    void requestsFailWhileTheServerIsUnreachableAndSucceedAfterwards() throws Exception {
        Arbiter arbiter = client();
        arbiter.compareAndSet(LeaderElectionRecord.EMPTY, FIRST);
        server.goAway();
        assertThrows(IOException.class, arbiter::read);
        server.comeBack();
        assertEquals(FIRST, arbiter.read());
    }

    @Test
    void repeatedRequestsAreThrottledWhileTheServerIsUnreachableAndSucceedAfterwards() throws Exception {
        server.goAway();
        BlockingQueue<LeaderElectionRecord> answers = new LinkedBlockingQueue<>();
        try (AsyncArbiter access = new AsyncArbiter(client(), answers::add, output -> {})) {
            for (int i = 0; i < 1000; i++) {
                access.read();
            }
            server.comeBack();
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                access.read();
                return !answers.isEmpty();
            });
        }
        assertTrue(server.requests() < 10, "requests: " + server.requests());
    }
}
