// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import dev.volary.backup.BlockBackup;
import dev.volary.backup.StoreSettings;
import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.ReplicaHeader;
import dev.volary.backup.replica.ReplicaKey;
import dev.volary.backup.replica.ReplicaKind;
import dev.volary.backup.replica.ReplicatedBackupStore;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.JobTrustManager;
import dev.volary.mesh.tls.TlsContexts;
import dev.volary.mesh.v1.TlsIdentity;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/**
 * A member as a process of its own. Its first line is its certificate and key, each further line a command, each answered by
 * one line: {@code members}, {@code reachable}, {@code put}, {@code newest}, {@code held}, {@code damage}. It ends with stdin.
 */
final class MemberMain {
    private static final ReplicaKey KEY = new ReplicaKey(ReplicaKind.DATA, 7);

    private final ReplicatedBackupStore store;
    private final ConcurrentMap<ReplicaKey, byte[]> copies = new ConcurrentHashMap<>();

    private MemberMain(BackupHolder self, TlsIdentity pem) throws Exception {
        Identity identity = Identity.of(pem);
        InfinispanTransport peers = new InfinispanTransport(
                "processes",
                self,
                new HeldReplicas(copies),
                TlsContexts.context(identity, new JobTrustManager(identity, (peer, reason) -> {})),
                Duration.ZERO,
                JGroupsStack.JOIN);
        store = new ReplicatedBackupStore(self, StoreSettings.of(2), peers);
    }

    /** {@code id,host,zone} of this member; the first line of its answers is the same with its port. */
    public static void main(String[] args) throws Exception {
        String description = args[0] + "," + InfinispanBackupStore.freePort("127.0.0.1");
        System.out.println(description);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        MemberMain member = new MemberMain(
                holder(description), TlsIdentity.parseFrom(Base64.getDecoder().decode(in.readLine())));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(member.answer(List.of(line.split(" "))));
        }
        Runtime.getRuntime().halt(0);
    }

    private static BackupHolder holder(String text) {
        List<String> fields = List.of(text.split(","));
        return new BackupHolder(
                new WorkerId(Long.parseLong(fields.get(0))),
                fields.get(1),
                fields.get(2),
                new Address("127.0.0.1", Integer.parseInt(fields.get(3))));
    }

    private String answer(List<String> command) throws Exception {
        return switch (command.getFirst()) {
            case "members" -> {
                List<BackupHolder> live = new ArrayList<>();
                command.subList(1, command.size()).forEach(text -> live.add(holder(text)));
                store.members(live);
                yield "updated";
            }
            case "reachable" -> Integer.toString(store.reachable().size());
            case "put" -> {
                long iteration = Long.parseLong(command.get(2));
                BlockVersion version = new BlockVersion(
                        new Incarnation(new GroupTerm(Long.parseLong(command.get(1)), new WorkerId(99)), 1),
                        0,
                        iteration);
                ByteBuffer value = ByteBuffer.allocate(1 << 20).putLong(0, iteration);
                yield store.put(KEY.block(), version, value)
                        .get(20, TimeUnit.SECONDS)
                        .toString();
            }
            case "newest" -> {
                Optional<BlockBackup> newest = store.newest(KEY.block()).get(20, TimeUnit.SECONDS);
                yield newest.map(c -> Long.toString(c.value().getLong(0))).orElse("none");
            }
            case "held" ->
                Optional.ofNullable(copies.get(KEY))
                        .flatMap(ReplicaHeader::read)
                        .map(header -> Long.toString(header.version().iteration()))
                        .orElse("none");
            case "damage" -> {
                byte[] frame =
                        Optional.ofNullable(copies.get(KEY)).orElseThrow().clone();
                frame[ReplicaHeader.BYTES + 4711] ^= 0x10;
                copies.put(KEY, frame);
                yield "damaged";
            }
            default -> throw new IllegalArgumentException("command " + command + " is unknown");
        };
    }
}
