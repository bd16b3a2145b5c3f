// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.CProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A program for MPI whose ranks are killed, and which is started again whenever it ends without a result. */
final class RestartedProgram implements AutoCloseable {
    private final List<String> command;
    private final Path program;
    private final Path output;
    private int kills;
    private @Nullable Process process;

    /** A program with its arguments, which make it continue from its newest save. */
    RestartedProgram(Path program, List<String> arguments) throws IOException {
        this.program = program;
        command = CProgram.mpiCommand(program, PeerProgram.RANKS, arguments.toArray(String[]::new));
        output = Files.createTempFile("volary-peers", ".txt");
    }

    /**
     * Runs it until it prints a result. The whole time includes all restarts.
     *
     * @throws IOException if it fails without having been killed
     */
    PeerResult run(double secondsBetweenKills) throws IOException, InterruptedException {
        long start = System.nanoTime();
        KillSchedule schedule = new KillSchedule(start, secondsBetweenKills);
        while (true) {
            int before = kills;
            Process now = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            process = now;
            while (schedule.await(now::isAlive)) {
                kill(now, schedule.number());
            }
            if (now.waitFor() == 0) {
                return PeerResult.parse(
                        Files.readString(output, StandardCharsets.UTF_8), 1e-9 * (System.nanoTime() - start));
            }
            if (kills == before) {
                throw new IOException(program.getFileName() + " failed: "
                        + Files.readString(output).strip());
            }
        }
    }

    /** How many ranks were killed. */
    int kills() {
        return kills;
    }

    private void kill(Process mpirun, int number) {
        List<ProcessHandle> ranks = mpirun.descendants()
                .filter(each -> each.info().command().orElse("").equals(program.toString()))
                .toList();
        if (!ranks.isEmpty() && ranks.get(number % ranks.size()).destroyForcibly()) {
            kills++;
        }
    }

    @Override
    public void close() throws IOException {
        Process last = process;
        if (last != null && last.isAlive()) {
            last.descendants().forEach(ProcessHandle::destroyForcibly);
            last.destroyForcibly();
        }
        Files.deleteIfExists(output);
    }
}
