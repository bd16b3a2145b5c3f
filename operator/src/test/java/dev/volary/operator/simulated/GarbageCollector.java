// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.simulated;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** Deletes objects some time after their owner is gone. Of a job that is deleted in the foreground the objects go first. */
final class GarbageCollector {
    private static final Duration CHECK = Duration.ofMillis(500);

    private final VirtualTime time;
    private final SimulatedApiServer server;
    private final Random random;
    private final Duration longestLag;

    GarbageCollector(VirtualTime time, SimulatedApiServer server, Random random, Duration longestLag) {
        this.time = time;
        this.server = server;
        this.random = random;
        this.longestLag = longestLag;
        server.onChange(this::look);
    }

    private void look(SimulatedApiServer.Change change) {
        boolean isJob = change.resource().equals(SimulatedApiServer.JOBS);
        switch (change.kind()) {
            case ADDED -> {
                String owner = SimulatedApiServer.owner(change.object());
                if (!owner.isEmpty() && !isThere(owner)) {
                    time.after(lag(), () -> deleteObjectsOf(owner));
                }
            }
            case MODIFIED -> {
                if (isJob && SimulatedApiServer.meta(change.object()).has("deletionTimestamp")) {
                    String uid = SimulatedApiServer.uid(change.object());
                    time.after(lag(), () -> deleteInForeground(uid, SimulatedApiServer.name(change.object())));
                }
            }
            case DELETED -> {
                if (isJob) {
                    String uid = SimulatedApiServer.uid(change.object());
                    time.after(lag(), () -> deleteObjectsOf(uid));
                }
            }
        }
    }

    private Duration lag() {
        return Duration.ofMillis(random.nextLong(longestLag.toMillis() + 1));
    }

    private boolean isThere(String job) {
        return server.list(SimulatedApiServer.JOBS).stream()
                .anyMatch(each -> SimulatedApiServer.uid(each).equals(job));
    }

    private void deleteInForeground(String uid, String name) {
        deleteObjectsOf(uid);
        time.every(CHECK, () -> {
            if (objectsOf(uid).findAny().isPresent()) {
                deleteObjectsOf(uid);
                return true;
            }
            ObjectNode job = server.get(SimulatedApiServer.JOBS, SimulatedCluster.NAMESPACE, name);
            if (job != null && SimulatedApiServer.uid(job).equals(uid)) {
                server.remove(SimulatedApiServer.JOBS, SimulatedCluster.NAMESPACE, name);
            }
            return false;
        });
    }

    private Stream<Map.Entry<String, ObjectNode>> objectsOf(String uid) {
        return server.all().entrySet().stream()
                .filter(e -> SimulatedApiServer.owner(e.getValue()).equals(uid));
    }

    private void deleteObjectsOf(String uid) {
        objectsOf(uid).toList().forEach(entry -> {
            String[] key = entry.getKey().split("/", 3);
            var _ = server.execute(new ApiRequest("delete", key[0], key[1], key[2], "", "", ""));
        });
    }
}
