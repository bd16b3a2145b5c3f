// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import dev.volary.mesh.Mesh;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.link.MeshListener;
import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.mesh.link.OutgoingLink;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.v1.TlsIdentity;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The other process of the link benchmarks: takes halos and sends them back, or lets a bare peer do so. Obeys lines on stdin,
 * answers each with a line on stdout.
 */
final class LinkPeer {
    static final Incarnation INCARNATION = new Incarnation(new GroupTerm(1, new WorkerId(9)), 1);
    static final WorkerId PARENT = new WorkerId(1);
    static final WorkerId CHILD = new WorkerId(2);
    static final long HASH = 42;
    private static final long NAP_NANOS = 1_000_000;

    private LinkPeer() {}

    static MeshConfig config(WorkerId node) {
        return MeshConfig.builder(node, WorkerRole.DAEMON, "127.0.0.1", HASH)
                .bulkShare(0)
                .build();
    }

    static MeshListener silent() {
        return new MeshListener() {
            @Override
            public void received(WorkerId from, Message message) {}

            @Override
            public void refused(String peer, String reason) {
                System.err.println(peer + " " + reason);
            }
        };
    }

    /** Arguments: number of doubles in a halo. */
    public static void main(String[] args) throws Exception {
        int length = Integer.parseInt(args[0]);
        DataInputStream in = new DataInputStream(System.in);
        Identity identity = Identity.of(TlsIdentity.parseDelimitedFrom(in));
        PrintStream answers = System.out;
        BufferedReader commands = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII));
        try (Mesh mesh = Mesh.start(config(CHILD), identity, silent());
                BareGrpc.Server bare = BareGrpc.serve(identity);
                ServerSocket raw = RawTls.listen(identity)) {
            NewestWinsLink incoming = mesh.incoming(0, 1, length);
            OutgoingLink outgoing = mesh.outgoing(1, 0, length);
            outgoing.route(PARENT);
            answers.println(mesh.self().address().port() + " " + bare.port() + " " + raw.getLocalPort());
            Thread.ofPlatform().daemon().start(() -> RawTls.echo(raw));
            AtomicBoolean busy = new AtomicBoolean();
            AtomicBoolean echoing = new AtomicBoolean();
            AtomicBoolean reflecting = new AtomicBoolean();
            Thread computing = Thread.ofPlatform()
                    .daemon()
                    .unstarted(() -> compute(incoming, outgoing, busy, echoing, reflecting));
            incoming.onArrival(() -> {
                if (reflecting.get()) {
                    echo(incoming, outgoing);
                } else if (!busy.get()) {
                    LockSupport.unpark(computing);
                }
            });
            computing.start();
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                switch (line) {
                    case "frames" -> answers.println(incoming.telemetry().frames());
                    case "bytes" -> answers.println(bare.received());
                    case "idle", "busy", "echo", "reflect" -> {
                        busy.set(!line.equals("idle"));
                        echoing.set(line.equals("echo"));
                        reflecting.set(line.equals("reflect"));
                        answers.println("ok");
                    }
                    default -> throw new IOException("unknown command " + line.toLowerCase(Locale.ROOT));
                }
            }
        }
    }

    /** The compute thread: takes what is new, unless the event loop does; works between looks if asked to. */
    private static void compute(
            NewestWinsLink incoming,
            OutgoingLink outgoing,
            AtomicBoolean busy,
            AtomicBoolean echoing,
            AtomicBoolean reflecting) {
        double state = 1;
        while (true) {
            if (!reflecting.get() && incoming.take() && echoing.get()) {
                answer(incoming, outgoing);
            }
            if (busy.get()) {
                state = CpuLoad.unit(state);
            } else {
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
    }

    private static void echo(NewestWinsLink incoming, OutgoingLink outgoing) {
        if (incoming.take()) {
            answer(incoming, outgoing);
        }
    }

    private static void answer(NewestWinsLink incoming, OutgoingLink outgoing) {
        System.arraycopy(incoming.values(), 0, outgoing.begin(), 0, incoming.length());
        outgoing.publish(INCARNATION, 0, incoming.iteration(), 0, false);
    }
}
