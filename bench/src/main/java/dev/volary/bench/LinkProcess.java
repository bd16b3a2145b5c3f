// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import dev.volary.mesh.Mesh;
import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.mesh.link.OutgoingLink;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerRole;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** This end of the link benchmarks: the child process, a mesh, and one link each way. */
final class LinkProcess implements AutoCloseable {
    final Identity identity;
    final Mesh mesh;
    final OutgoingLink outgoing;
    final NewestWinsLink incoming;
    final int barePort;
    final int rawPort;
    private final Process child;
    private final OutputStream commands;
    private final BufferedReader answers;

    /**
     * @param length doubles in a halo
     * @param before what the command of the child process begins with, see {@link CpuAffinity#tied}
     */
    LinkProcess(int length, List<String> before) throws Exception {
        CertificateAuthority authority = new CertificateAuthority("bench", "link");
        identity = authority.issue("daemon", "daemon-1");
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "--sun-misc-unsafe-memory-access=allow",
                LinkPeer.class.getName(),
                String.valueOf(length)));
        child = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        commands = child.getOutputStream();
        answers = new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.US_ASCII));
        authority.issue("daemon", "daemon-2").toPem().writeDelimitedTo(commands);
        commands.flush();
        String[] ports = answers.readLine().split(" ", -1);
        barePort = Integer.parseInt(ports[1]);
        rawPort = Integer.parseInt(ports[2]);
        mesh = Mesh.start(LinkPeer.config(LinkPeer.PARENT), identity, LinkPeer.silent());
        mesh.addPeer(new Member(
                LinkPeer.CHILD,
                WorkerRole.DAEMON,
                "daemon-2",
                new Address("127.0.0.1", Integer.parseInt(ports[0])),
                "127.0.0.1",
                "",
                1,
                0));
        outgoing = mesh.outgoing(0, 1, length);
        incoming = mesh.incoming(1, 0, length);
        outgoing.route(LinkPeer.CHILD);
    }

    /** Waits until a first halo has crossed. */
    void awaitConnection() throws IOException, InterruptedException {
        outgoing.begin();
        outgoing.publish(LinkPeer.INCARNATION, 0, 0, 0, true);
        while (ask("frames").equals("0")) {
            Thread.sleep(10);
        }
    }

    /** Sends a line to the child process and returns its reply. */
    String ask(String command) throws IOException {
        commands.write((command + "\n").getBytes(StandardCharsets.US_ASCII));
        commands.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the child process has ended");
        }
        return answer;
    }

    @Override
    public void close() throws IOException {
        mesh.close();
        commands.close();
        child.destroy();
    }
}
