// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.console.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the command line of a worker JVM. A short job ends before the optimizing compiler pays off, so it runs on C1; the
 * daemons of a large job use C2 and the Vector API. Brief jobs have an AOT cache of their own, all others share one.
 *
 * @param home folder of the installation, with {@code lib/} and {@code aot/}
 * @param javaHome folder of the JDK
 * @param length expected computing time of the job
 */
public record WorkerJvm(Path home, Path javaHome, Length length) {

    /** Expected computing time of a job. */
    public enum Length {
        /** It ends before backup stores open, whose classes would add a fifth of a second to each start. */
        BRIEF,
        /** It computes little, but may run for long. */
        LASTING,
        /** It computes for more than a few seconds. */
        LARGE
    }

    /** The AOT caches. A cache is valid only for the modules of its training, and loads all classes of its training. */
    public enum Cache {
        /** Without the checkpoint store, which a brief job never uses: it starts faster. */
        BRIEF("brief"),
        /** With it. */
        FULL("full");

        private final String file;

        Cache(String file) {
            this.file = file;
        }
    }

    /** Minimum heap for mesh and protocol. */
    private static final long BASE_HEAP_MIB = 64;

    /** Initial part of it: with less, a worker collects garbage five times before it computes. */
    private static final long INITIAL_HEAP_MIB = 48;

    /** Part of it for new objects except large arrays, so that no more than this is ever copied at once. */
    private static final long YOUNG_MIB = 16;

    /** Allows Netty to use OpenSSL, whose library it finds in the folder of native libraries. */
    private static final String OPEN_SSL = "-Dio.grpc.netty.shaded.io.netty.handler.ssl.noOpenSsl=false";

    /** Allows large blocks to load the Vector API. With its module there from the start the AOT cache would lose its linked classes. */
    private static final String VECTORS = "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED";

    /** Netty would record a stack trace of each hundredth buffer, to report those that are never released. */
    private static final String NO_LEAK_DETECTION = "-Dio.grpc.netty.shaded.io.netty.leakDetection.level=disabled";

    /**
     * The installation that this process belongs to.
     *
     * @throws UsageException if it was not started from one
     */
    public static WorkerJvm installed(Length length) throws UsageException {
        String home = System.getProperty("volary.home");
        if (home == null || !Files.isDirectory(Path.of(home, "lib"))) {
            throw new UsageException("the system property volary.home is " + home
                    + ", which is not an installation; start volary with ./volary");
        }
        return new WorkerJvm(Path.of(home), Path.of(System.getProperty("java.home")), length);
    }

    /**
     * Builds the command.
     *
     * @param role {@code daemon} or {@code spawner}
     * @param memory heap that the worker needs
     */
    public List<String> command(String role, WorkerMemory memory) {
        List<String> command = flags(length, role.equals("daemon"));
        addHeapAndCache(command, memory);
        program(command, "dev.volary.worker.local.WorkerMain");
        return command;
    }

    /**
     * Builds the command that measures one block, as a daemon would compute it.
     *
     * @param arguments arguments of the measuring program
     */
    public List<String> measuring(ValidatedJob checked, List<String> arguments) {
        List<String> command = flags(length, true);
        addHeapAndCache(command, WorkerMemory.of(checked, 0, true));
        program(command, "dev.volary.worker.measure.MeasureMain");
        command.addAll(arguments);
        return command;
    }

    private void addHeapAndCache(List<String> command, WorkerMemory memory) {
        long initialMib = INITIAL_HEAP_MIB + mib(memory.blocks());
        long maxMib = BASE_HEAP_MIB + mib(memory.blocks()) + mib(memory.backups());
        command.add("-Xmn" + YOUNG_MIB + "m");
        command.add("-Xms" + initialMib + "m");
        command.add("-Xmx" + maxMib + "m");
        Path cache = file(length == Length.BRIEF ? Cache.BRIEF : Cache.FULL);
        if (Files.isRegularFile(cache)) {
            command.add("-XX:AOTCache=" + cache);
        }
    }

    private static long mib(long bytes) {
        return bytes / (1 << 20);
    }

    /**
     * Builds the command that creates an AOT cache.
     *
     * @param arguments arguments of the training program
     */
    public List<String> training(Cache cache, List<String> arguments) {
        // code that C1 compiled during the training is never optimized later
        List<String> command = flags(cache == Cache.BRIEF ? Length.BRIEF : Length.LARGE, true);
        command.add("-XX:AOTCacheOutput=" + file(cache));
        program(command, "dev.volary.worker.training.AotTraining");
        command.addAll(arguments);
        return command;
    }

    private Path file(Cache cache) {
        return home.resolve("aot").resolve(cache.file + ".aot");
    }

    private List<String> flags(Length job, boolean computes) {
        List<String> command = new ArrayList<>();
        command.add(javaHome.resolve("bin/java").toString());
        command.add("-XX:+UseSerialGC");
        // a young collection would copy the vectors of a large block, and copies of them, for a second
        command.add("-XX:PretenureSizeThreshold=512k");
        command.add("-XX:-UsePerfData"); // its file in the temporary folder would survive kill -9
        command.add("-XX:+ExitOnOutOfMemoryError");
        // the JVM logs to stdout by default, but stdout carries messages to the parent
        command.add("-Xlog:disable");
        command.add("-Xlog:all=error:stderr");
        command.add("-Xss512k");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        Path nativeLibraries = home.resolve("native");
        if (Files.isDirectory(nativeLibraries)) {
            command.add("-Djava.library.path=" + nativeLibraries);
            command.add(OPEN_SSL);
        }
        command.add(NO_LEAK_DETECTION);
        if (job != Length.BRIEF) {
            command.add(VECTORS);
        }
        switch (job) {
            case BRIEF -> {
                command.add("-XX:TieredStopAtLevel=1");
                // with the profiles of the training the JVM would compile more than pays off in a job of seconds
                command.add("-XX:+IgnoreUnrecognizedVMOptions"); // a newer JDK may not have the next option
                command.add("-XX:+UnlockDiagnosticVMOptions");
                command.add("-XX:-AOTReplayTraining");
            }
            case LASTING -> command.add("-XX:TieredStopAtLevel=1");
            case LARGE -> {
                // a worker that does not compute holds backups, which take ten times as long to decrypt with code of C1
                optimize(command, computes ? "compiler-directives.json" : "compiler-directives-encryption.json");
                if (computes) {
                    command.add("-XX:+UseTransparentHugePages");
                }
            }
        }
        return command;
    }

    private void program(List<String> command, String main) {
        command.add("-cp");
        command.add(home.resolve("lib") + "/*");
        command.add(main);
    }

    /**
     * Restricts the optimizing compiler to the classes listed in a file: otherwise it would compile code of the mesh for half a
     * minute while blocks compute. Encryption is compiled ten times earlier than usual, because backups are rare and the first
     * ones would be encrypted in the interpreter.
     */
    private void optimize(List<String> command, String file) {
        command.add("-XX:CompileCommand=quiet"); // stdout carries messages
        command.add("-XX:CompileCommand=CompileThresholdScaling,com.sun.crypto.provider.*::*,0.1");
        Path directives = home.resolve("etc").resolve(file);
        if (Files.isRegularFile(directives)) {
            command.add("-XX:+UnlockDiagnosticVMOptions");
            command.add("-XX:CompilerDirectivesFile=" + directives);
            command.add("-XX:+DisplayVMOutputToStderr"); // the JVM prints a confirmation
        }
    }
}
