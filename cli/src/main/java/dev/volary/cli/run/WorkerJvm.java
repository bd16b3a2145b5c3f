package dev.volary.cli.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command line of a worker's JVM. A small job is over before the optimising compiler pays for itself, so it runs on C1;
 * the daemons of a large one get C2 and the Vector API. Each of these has an AOT cache of its own.
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
     * @param serial number among those of its role; in training, the first writes the AOT cache, and the second daemon that of
     *     large jobs
     * @param heapBytes what blocks, halos and results need
     * @param laterBytes what copies of other workers' blocks will need once the job runs for a while
     */
    List<String> command(String role, int serial, long heapBytes, long laterBytes) {
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
        boolean vector = role.equals("daemon") && (train.isPresent() ? serial == 1 : large);
        if (vector) {
            command.add("--add-modules=jdk.incubator.vector");
            optimiseOnlyComputing(command);
            command.add("-XX:+UseTransparentHugePages");
        } else {
            command.add("-XX:TieredStopAtLevel=1");
        }
        if (train.isPresent()) {
            command.add("-Dvolary.training=true");
        }
        aot(vector ? "daemon-large" : role, serial).ifPresent(command::add);
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

    /** A cache is bound to the modules it was trained with. */
    private Optional<String> aot(String kind, int serial) {
        String file = kind + ".aot";
        if (train.isPresent()) {
            boolean writes = kind.equals("daemon-large") || serial == 0;
            return writes ? Optional.of("-XX:AOTCacheOutput=" + train.get().resolve(file)) : Optional.empty();
        }
        Path cache = home.resolve("aot").resolve(file);
        return Files.isRegularFile(cache) ? Optional.of("-XX:AOTCache=" + cache) : Optional.empty();
    }
}
