// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** HTTP clients of a worker that are slow or mean harm: the kubelet's probes are answered nevertheless. */
@OnSharedCluster
@OnTestbed
class SlowClientsIT {
    private static final int HTTP = 7403;
    private static final int CLIENTS = 50;

    /** A worker whose probes failed was not ready after 6 s, and killed after 57 s. */
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(70);

    @Test
    void halfRequestsNeitherMakeAWorkerUnreadyNorRestartIt() throws Exception {
        try (ClusterJob job = new ClusterJob(
                        "slow-clients", Specs.few(Specs.lasting(150)) + "blocks: " + Specs.BLOCKS + "\n");
                BlockObserver observer = new BlockObserver(job)) {
            observer.awaitIterating(Set.of());
            job.awaitWorkers(Specs.FEW_WORKERS);
            Map<String, String> before = job.pods();
            String victim = observer.whole().pods().getFirst();
            String address =
                    job.pod(victim).getAsJsonObject("status").get("podIP").getAsString();
            List<Socket> clients = new ArrayList<>();
            try {
                await(victim + " stays ready")
                        .during(LONG_ENOUGH)
                        .atMost(LONG_ENOUGH.plus(ClusterJob.PATIENCE))
                        .pollInterval(Duration.ofSeconds(2))
                        .until(() -> {
                            for (int i = 0; i < CLIENTS; i++) {
                                clients.add(half(address));
                            }
                            assertTrue(isReady(job, victim), victim + " is not ready");
                            return true;
                        });
            } finally {
                for (Socket client : clients) {
                    client.close();
                }
            }
            assertEquals(before, job.pods());
            assertEquals(0, job.restarts(victim));
            assertEquals(Losses.NONE, job.losses());
        }
    }

    private static boolean isReady(ClusterJob job, String pod) throws IOException, InterruptedException {
        for (JsonElement condition : job.pod(pod).getAsJsonObject("status").getAsJsonArray("conditions")) {
            JsonObject there = condition.getAsJsonObject();
            if (there.get("type").getAsString().equals("Ready")) {
                return there.get("status").getAsString().equals("True");
            }
        }
        return false;
    }

    /** A request without its last line. */
    private static Socket half(String address) throws IOException {
        Socket client = new Socket(address, HTTP);
        client.getOutputStream().write("GET /healthz HTTP/1.1\r\nHost: pod\r\n".getBytes(StandardCharsets.US_ASCII));
        return client;
    }
}
