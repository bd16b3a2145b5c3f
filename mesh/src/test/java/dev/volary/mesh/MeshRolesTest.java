// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.codec.AnyRecord;
import dev.volary.mesh.codec.MessageCodec;
import dev.volary.mesh.v1.Envelope;
import dev.volary.mesh.v1.Envelope.PayloadCase;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each message of the table in docs/explanation/security.md, from each role, over real connections. */
class MeshRolesTest {
    private static final WorkerId RECEIVER = new WorkerId(1);
    private static final WorkerId SENDER = new WorkerId(2);
    private static final Message FIRST = new BlockMessage.DirectoryAck(-1); // both roles may send it

    /** A row of the table: topic, names of messages, whether daemons may send them, whether spawners may. */
    private static final Pattern ROW =
            Pattern.compile("\\| [a-z ]+ \\| ((?:`\\w+`(?:, )?)+) \\| (yes)? ?\\| (yes)? ?\\|");

    private static final Pattern WORD = Pattern.compile("\\w+");

    private static Map<PayloadCase, Set<WorkerRole>> documented() throws IOException {
        Map<String, PayloadCase> cases =
                Arrays.stream(PayloadCase.values()).collect(toMap(c -> c.name().replace("_", ""), c -> c));
        Map<PayloadCase, Set<WorkerRole>> table = new EnumMap<>(PayloadCase.class);
        for (String line : Files.readAllLines(Path.of("../docs/explanation/security.md"))) {
            for (MatchResult row : ROW.matcher(line).results().toList()) {
                Set<WorkerRole> roles = EnumSet.noneOf(WorkerRole.class);
                if (row.group(2) != null) {
                    roles.add(WorkerRole.DAEMON);
                }
                if (row.group(3) != null) {
                    roles.add(WorkerRole.SPAWNER);
                }
                for (MatchResult word : WORD.matcher(row.group(1)).results().toList()) {
                    String name = word.group();
                    PayloadCase payload = cases.get(name.toUpperCase(Locale.ROOT));
                    assertTrue(payload != null, () -> "the table has " + name + ", which is no message");
                    assertTrue(table.put(payload, roles) == null, () -> "the table has two entries for " + name);
                }
            }
        }
        return table;
    }

    private static PayloadCase payload(Message message) {
        return MessageCodec.write(Envelope.newBuilder(), message).getPayloadCase();
    }

    @Test
    void everyMessageHasAnEntryInTheTable() throws Exception {
        assertEquals(
                EnumSet.complementOf(EnumSet.of(PayloadCase.PAYLOAD_NOT_SET)),
                documented().keySet());
    }

    @ParameterizedTest
    @EnumSource(WorkerRole.class)
    void aMessageIsReceivedFromTheRolesOfTheTableAndFromNoOther(WorkerRole role) throws Exception {
        Map<PayloadCase, Set<WorkerRole>> table = documented();
        Random random = new Random(7);
        List<Message> all = AnyRecord.kinds(Message.class)
                .map(kind -> (Message) AnyRecord.of(kind, random))
                .toList();
        try (TestJob job = new TestJob()) {
            RecordingListener here = new RecordingListener();
            Mesh receiver = job.spawner(RECEIVER.value(), here, config -> config.bulkShare(0));
            Mesh sender =
                    job.start(SENDER.value(), role, "worker-2", new RecordingListener(), config -> config.bulkShare(0));
            sender.addPeer(receiver.self());
            sender.send(RECEIVER, FIRST); // messages of the failure detection need an open connection
            await().until(() -> here.messages.equals(List.of(FIRST)));
            all.forEach(message -> sender.send(RECEIVER, message));
            await().until(() -> here.messages.size() - 1 + here.refusedMessages.size() == all.size());

            assertEquals(
                    all.stream()
                            .map(MeshRolesTest::payload)
                            .filter(payload ->
                                    table.getOrDefault(payload, Set.of()).contains(role))
                            .collect(toSet()),
                    here.messages.stream().skip(1).map(MeshRolesTest::payload).collect(toSet()));
            assertEquals(
                    here.refusedMessages.size(), receiver.controlTelemetry().refused());
            assertEquals(1, here.refused.size(), "refused messages of a worker are reported once");
        }
    }

    @Test
    void aWorkerUnderTheIdOfAnotherIsRefused() throws Exception {
        try (TestJob job = new TestJob()) {
            RecordingListener here = new RecordingListener();
            Mesh receiver = job.spawner(RECEIVER.value(), here, config -> config.bulkShare(0));
            Mesh sender = job.daemon(SENDER.value(), new RecordingListener());
            Member claimed = sender.self();
            receiver.addPeer(
                    new Member(SENDER, WorkerRole.SPAWNER, "spawner-2", claimed.address(), claimed.host(), "", 1, 0));
            sender.addPeer(receiver.self());
            sender.send(RECEIVER, FIRST);
            await().until(() -> !here.refused.isEmpty());
            assertEquals(
                    "worker 2 is known as spawner-2, SPAWNER; the identity proven is daemon-2, ROLE_DAEMON",
                    here.refused.getFirst());
            assertTrue(here.messages.isEmpty());
        }
    }

    @Test
    void aPeerWithoutACertificateEndsInTheHandshake() throws Exception {
        SSLContext anonymous = SSLContext.getInstance("TLSv1.3");
        anonymous.init(null, new TrustManager[] {new TrustsAll()}, new SecureRandom());
        try (TestJob job = new TestJob()) {
            RecordingListener here = new RecordingListener();
            Mesh receiver = job.spawner(RECEIVER.value(), here, config -> config.bulkShare(0));
            try (SSLSocket socket = (SSLSocket) anonymous
                    .getSocketFactory()
                    .createSocket("127.0.0.1", receiver.self().address().port())) {
                assertThrows(SSLException.class, () -> {
                    socket.startHandshake();
                    socket.getInputStream().read();
                });
            }
            assertTrue(here.messages.isEmpty() && here.connected.isEmpty());
        }
    }

    private static final class TrustsAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
