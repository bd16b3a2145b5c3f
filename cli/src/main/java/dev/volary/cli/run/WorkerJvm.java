package dev.volary.cli.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command line of a worker's JVM. A small job is over before the optimising compiler pays for itself, so it runs on C1
 * with the AOT cache; a large one gets C2 and the Vector API.
 *
 * @param home the installation: {@code lib/} and {@code aot/}
 * @param javaHome the JDK
 * @param large whether the job is expected to compute for more than a few seconds
 * @param train folder to write AOT caches to, when the installation is being prepared
 */
record WorkerJvm(Path home, Path javaHome, boolean large, Optional<Path> train) {

    /** The smallest heap in MiB that carries the mesh and the protocol. */
    private static final long BASE_HEAP_MIB = 64;

    /**
     * Builds the command.
     *
     * @param role {@code daemon} or {@code spawner}
     * @param first whether this is the first of its role, the one that writes the AOT cache in training
     * @param heapBytes what blocks, halos and results need
     * @param laterBytes what copies of other workers' blocks will need once the job runs for a while
     */
    List<String> command(String role, boolean first, long heapBytes, long laterBytes) {
        List<String> command = new ArrayList<>();
        command.add(javaHome.resolve("bin/java").toString());
        command.add("-XX:+UseSerialGC");
        command.add("-XX:-UsePerfData"); // its file in the temp folder would survive kill -9
        command.add("-XX:+ExitOnOutOfMemoryError");
        // The JVM logs to stdout by default, which carries messages to the parent.
        command.add("-Xlog:disable");
        command.add("-Xlog:all=error:stderr");
        command.add("-Xss512k");
        long heapMib = BASE_HEAP_MIB + heapBytes / (1 << 20);
        command.add("-Xms" + Math.min(heapMib, 16 + heapBytes / (1 << 20)) + "m");
        command.add("-Xmx" + (heapMib + laterBytes / (1 << 20)) + "m");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        boolean vector = large && role.equals("daemon");
        if (vector) {
            command.add("--add-modules=jdk.incubator.vector");
            optimiseOnlyComputing(command);
            command.add("-XX:+UseTransparentHugePages");
        } else {
            command.add("-XX:TieredStopAtLevel=1");
        }
        if (train.isPresent()) {
            command.add("-Dvolary.orderly-exit=true");
        }
        aot(role, first, vector).ifPresent(command::add);
        command.add("-cp");
        command.add(home.resolve("lib") + "/*");
        command.add("dev.volary.worker.WorkerMain");
        return command;
    }

    /** The optimising compiler would work on the mesh's code for half a minute, beside the blocks that it is there for. */
    private void optimiseOnlyComputing(List<String> command) {
        Path directives = home.resolve("etc").resolve("compiler-directives.json");
        if (Files.isRegularFile(directives)) {
            command.add("-XX:+UnlockDiagnosticVMOptions");
            command.add("-XX:CompilerDirectivesFile=" + directives);
            command.add("-XX:+DisplayVMOutputToStderr"); // the JVM confirms the file, and stdout carries messages
        }
    }

    private Optional<String> aot(String role, boolean first, boolean vector) {
        if (train.isPresent()) {
            return first ? Optional.of("-XX:AOTCacheOutput=" + train.get().resolve(role + ".aot")) : Optional.empty();
        }
        // A cache is bound to the modules it was trained with, and the Vector API is not among them.
        Path cache = home.resolve("aot").resolve(role + ".aot");
        return !vector && Files.isRegularFile(cache) ? Optional.of("-XX:AOTCache=" + cache) : Optional.empty();
    }
}
