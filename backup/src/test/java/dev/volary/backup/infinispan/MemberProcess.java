// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import dev.volary.mesh.tls.CertificateAuthority;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A {@link MemberMain} in its own JVM. */
final class MemberProcess {
    final long id;
    final String zone;
    final String description;
    private final Process process;
    private final BufferedReader out;
    private final BufferedWriter in;

    MemberProcess(CertificateAuthority authority, long id, String zone, Path log) throws Exception {
        this.id = id;
        this.zone = zone;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                MemberMain.class.getName(),
                "%d,host-%d,%s".formatted(id, id, zone)));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        out = process.inputReader(StandardCharsets.UTF_8);
        in = process.outputWriter(StandardCharsets.UTF_8);
        write(Base64.getEncoder()
                .encodeToString(
                        authority.issue("daemon", "daemon-" + id).toPem().toByteArray()));
        description = answer();
    }

    /** Sends a command and waits for its answer. */
    String ask(String command) {
        try {
            write(command);
            return answer();
        } catch (IOException e) {
            throw new UncheckedIOException("member " + id + " does not listen; see its log", e);
        }
    }

    private String answer() throws IOException {
        String answer = out.readLine();
        if (answer == null) {
            throw new IllegalStateException("member " + id + " has ended; see its log");
        }
        return answer;
    }

    private void write(String line) throws IOException {
        in.write(line);
        in.newLine();
        in.flush();
    }

    /** SIGSTOP: as if its machine were switched off. */
    void freeze() throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("member " + id + " cannot be stopped");
        }
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }
}
