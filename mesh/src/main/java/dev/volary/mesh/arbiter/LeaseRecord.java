// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.arbiter;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.model.WorkerId;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The arbiter's record in a Lease: {@code spec.holderIdentity} is the leader (hexadecimal node id), {@code
 * spec.leaseTransitions} its term, the annotation {@code volary.dev/log-members} the members of its log.
 */
final class LeaseRecord {

    /** The form the API server takes: always six digits of a second. */
    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private LeaseRecord() {}

    /** @throws IOException if the Lease holds something else */
    static LeaderElectionRecord read(JsonObject lease) throws IOException {
        JsonObject spec = object(lease, "spec");
        String holder = text(spec, "holderIdentity");
        String members = text(object(object(lease, "metadata"), "annotations"), LeaseArbiter.MEMBERS);
        JsonElement transitions = spec.get("leaseTransitions");
        try {
            return new LeaderElectionRecord(
                    holder.isEmpty() ? Optional.empty() : Optional.of(node(holder)),
                    transitions == null || transitions.isJsonNull() ? 0 : transitions.getAsLong(),
                    members.isEmpty()
                            ? List.of()
                            : Arrays.stream(members.split(","))
                                    .map(LeaseRecord::node)
                                    .toList());
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "the Lease's holderIdentity is '%s' and its %s '%s', must be node ids; no other program may use it"
                            .formatted(holder, LeaseArbiter.MEMBERS, members),
                    e);
        }
    }

    /** The same Lease with another record; everything else stays, the resource version above all. */
    static JsonObject write(JsonObject lease, LeaderElectionRecord record, Instant now) {
        JsonObject next = lease.deepCopy();
        String members = record.logMembers().stream().map(WorkerId::toString).collect(Collectors.joining(","));
        make(make(next, "metadata"), "annotations").addProperty(LeaseArbiter.MEMBERS, members);
        JsonObject spec = make(next, "spec");
        spec.addProperty("leaseTransitions", record.term());
        spec.addProperty("acquireTime", MICRO_TIME.format(now));
        spec.addProperty("renewTime", MICRO_TIME.format(now));
        record.leader().ifPresent(leader -> spec.addProperty("holderIdentity", leader.toString()));
        return next;
    }

    private static WorkerId node(String hex) {
        return new WorkerId(Long.parseUnsignedLong(hex, 16));
    }

    /** A member that may be missing. */
    private static JsonObject object(JsonObject parent, String name) {
        return parent.get(name) instanceof JsonObject there ? there : new JsonObject();
    }

    /** A member that is there afterwards. */
    private static JsonObject make(JsonObject parent, String name) {
        JsonObject child = object(parent, name);
        parent.add(name, child);
        return child;
    }

    private static String text(JsonObject parent, String name) {
        JsonElement there = parent.get(name);
        return there == null || there.isJsonNull() ? "" : there.getAsString();
    }
}
