// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the command line of a worker JVM. A short job ends before the optimizing compiler pays off, so it runs on C1; the
 * daemons of a large job use C2 and the Vector API. Each kind of JVM has its own AOT cache.
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

    /** The kinds of JVM, each with its own AOT cache: a cache is valid only for the modules of its training. */
    public enum Kind {
        BRIEF("brief", false, false),
        LASTING("lasting", true, false),
        VECTOR("vector", true, true);

        private final String file;
        private final boolean store;
        private final boolean vector;

        Kind(String file, boolean store, boolean vector) {
            this.file = file;
            this.store = store;
            this.vector = vector;
        }

        /** Whether the cache contains the classes of the backup store. */
        boolean hasStore() {
            return store;
        }
    }

    /** Minimum heap for mesh and protocol. */
    private static final long BASE_HEAP_MIB = 64;

    /** Initial part of it: with less, a worker collects garbage five times before it computes. */
    private static final long INITIAL_HEAP_MIB = 48;

    /** Frames of the mesh, which are short-lived garbage, fill it in some seconds. */
    private static final long EDEN_MIB = 16;

    private static final long MIN_SURVIVOR_MIB = 2;

    /** A {@code nice} value: a tenth of the share of a computing thread. Without root it cannot be raised again later. */
    private static final int LOW_PRIORITY = 10;

    /**
     * Builds the command.
     *
     * @param role {@code daemon} or {@code spawner}
     * @param memory heap that the worker needs
     * @param givesWay whether other workers already compute: then its compiler threads, half of the cost of a start, run at low
     *     priority
     */
    public List<String> command(String role, WorkerMemory memory, boolean givesWay) {
        Kind kind = kind(role);
        List<String> command = flags(kind, length);
        if (givesWay) {
            // without root the JVM warns on stdout that it cannot raise priorities, but stdout carries messages
            command.add("-XX:-PrintWarnings");
            command.add("-XX:ThreadPriorityPolicy=1");
            command.add("-XX:CompilerThreadPriority=" + LOW_PRIORITY);
        }
        long initialMib = INITIAL_HEAP_MIB + mib(memory.blocks());
        long maxMib = BASE_HEAP_MIB + mib(memory.blocks()) + mib(memory.backups());
        if (length == Length.LARGE && memory.inTransit() > 0) {
            // a round of backups is garbage soon after; survivor spaces of the default size would overflow into the old
            // generation, whose memory was never touched
            long survivorMib = Math.max(MIN_SURVIVOR_MIB, mib(memory.inTransit()));
            long ratio = Math.max(1, EDEN_MIB / survivorMib);
            command.add("-Xmn" + (ratio + 2) * survivorMib + "m");
            command.add("-XX:SurvivorRatio=" + ratio);
            initialMib += 2 * survivorMib;
            maxMib += 2 * survivorMib;
        }
        command.add("-Xms" + initialMib + "m");
        command.add("-Xmx" + maxMib + "m");
        Path cache = cache(kind);
        if (Files.isRegularFile(cache)) {
            command.add("-XX:AOTCache=" + cache);
        }
        program(command, "dev.volary.worker.local.WorkerMain");
        return command;
    }

    private static long mib(long bytes) {
        return bytes / (1 << 20);
    }

    private Kind kind(String role) {
        return switch (length) {
            case BRIEF -> Kind.BRIEF;
            case LASTING -> Kind.LASTING;
            case LARGE -> role.equals("daemon") ? Kind.VECTOR : Kind.LASTING;
        };
    }

    /**
     * Builds the command that creates an AOT cache.
     *
     * @param arguments arguments of the training program
     */
    public List<String> training(Kind kind, List<String> arguments) {
        // code that C1 compiled during the training is never optimized later
        List<String> command = flags(kind, kind == Kind.BRIEF ? Length.BRIEF : Length.LARGE);
        command.add("-XX:AOTCacheOutput=" + cache(kind));
        program(command, "dev.volary.worker.training.AotTraining");
        command.addAll(arguments);
        return command;
    }

    private Path cache(Kind kind) {
        return home.resolve("aot").resolve(kind.file + ".aot");
    }

    private List<String> flags(Kind kind, Length job) {
        List<String> command = new ArrayList<>();
        command.add(javaHome.resolve("bin/java").toString());
        command.add("-XX:+UseSerialGC");
        command.add("-XX:-UsePerfData"); // its file in the temporary folder would survive kill -9
        command.add("-XX:+ExitOnOutOfMemoryError");
        // the JVM logs to stdout by default, but stdout carries messages to the parent
        command.add("-Xlog:disable");
        command.add("-Xlog:all=error:stderr");
        command.add("-Xss512k");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        if (kind.vector) {
            command.add("--add-modules=jdk.incubator.vector");
            optimize(command, "compiler-directives.json");
            command.add("-XX:+UseTransparentHugePages");
        } else if (job == Length.LARGE) {
            // its spawners hold backups of large blocks, which take ten times as long to decrypt with code of C1
            optimize(command, "compiler-directives-encryption.json");
        } else {
            command.add("-XX:TieredStopAtLevel=1");
        }
        if (kind == Kind.BRIEF) {
            // with the profiles of the training the JVM would compile more than pays off in a job of seconds
            command.add("-XX:+IgnoreUnrecognizedVMOptions"); // a newer JDK may not have the next option
            command.add("-XX:+UnlockDiagnosticVMOptions");
            command.add("-XX:-AOTReplayTraining");
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
