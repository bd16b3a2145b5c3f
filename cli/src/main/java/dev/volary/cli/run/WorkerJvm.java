// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line of a worker's JVM. A small job is over before the optimising compiler pays for itself, so it runs on C1;
 * the daemons of a large one get C2 and the Vector API. Each of these has an AOT cache of its own.
 *
 * @param home the installation: {@code lib/} and {@code aot/}
 * @param javaHome the JDK
 * @param length how long the job is expected to compute
 */
record WorkerJvm(Path home, Path javaHome, Length length) {

    /** How long a job is expected to compute. */
    enum Length {
        /** It is over before checkpoint stores open: their classes would take a fifth of a second of each start. */
        BRIEF,
        /** It computes little, but may last. */
        LASTING,
        /** It computes for more than a few seconds. */
        LARGE
    }

    /** The kinds of JVM, each with an AOT cache, for a cache is bound to the modules that it was trained with. */
    enum Kind {
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

        /** Whether the checkpoint store's classes are in the cache. */
        boolean hasStore() {
            return store;
        }
    }

    /** The smallest heap in MiB that carries the mesh and the protocol. */
    private static final long BASE_HEAP_MIB = 64;

    /** Of these, there from the start: with less a worker collects garbage five times before it computes. */
    private static final long INITIAL_HEAP_MIB = 48;

    /** Filled in some seconds by the frames of the mesh, which are garbage at once. */
    private static final long EDEN_MIB = 16;

    private static final long LEAST_SURVIVOR_MIB = 2;

    /** As of {@code nice}: a tenth of the share of a thread that computes. It cannot be taken back once a block is to be computed. */
    private static final int LOW_PRIORITY = 10;

    /**
     * Builds the command.
     *
     * @param role {@code daemon} or {@code spawner}
     * @param heap what the worker needs
     * @param givesWay whether others compute already: then its compilers, half of what a start costs, take less of a processor
     *     that is wanted elsewhere
     */
    List<String> command(String role, WorkerMemory heap, boolean givesWay) {
        Kind kind = kind(role);
        List<String> command = flags(kind, length);
        if (givesWay) {
            // Without root priorities can be lowered, not raised: the JVM warns of that on stdout, which carries
            // messages.
            command.add("-XX:-PrintWarnings");
            command.add("-XX:ThreadPriorityPolicy=1");
            command.add("-XX:CompilerThreadPriority=" + LOW_PRIORITY);
        }
        long initialMib = INITIAL_HEAP_MIB + mib(heap.blocks());
        long mostMib = BASE_HEAP_MIB + mib(heap.blocks()) + mib(heap.copies());
        if (length == Length.LARGE && heap.moving() > 0) {
            // What a round of backups moves is garbage a moment later. The default leaves it a tenth of the young
            // generation: what does not fit grows the old one, into memory that was never touched.
            long survivorMib = Math.max(LEAST_SURVIVOR_MIB, mib(heap.moving()));
            long ratio = Math.max(1, EDEN_MIB / survivorMib);
            command.add("-Xmn" + (ratio + 2) * survivorMib + "m");
            command.add("-XX:SurvivorRatio=" + ratio);
            initialMib += 2 * survivorMib;
            mostMib += 2 * survivorMib;
        }
        command.add("-Xms" + initialMib + "m");
        command.add("-Xmx" + mostMib + "m");
        Path cache = cache(kind);
        if (Files.isRegularFile(cache)) {
            command.add("-XX:AOTCache=" + cache);
        }
        program(command, "dev.volary.worker.WorkerMain");
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
     * Builds the command that writes a kind's AOT cache.
     *
     * @param arguments of the training
     */
    List<String> training(Kind kind, List<String> arguments) {
        // What was compiled quickly in the training is never optimised later.
        List<String> command = flags(kind, kind == Kind.BRIEF ? Length.BRIEF : Length.LARGE);
        command.add("-XX:AOTCacheOutput=" + cache(kind));
        program(command, "dev.volary.worker.AotTraining");
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
        command.add("-XX:-UsePerfData"); // its file in the temp folder would survive kill -9
        command.add("-XX:+ExitOnOutOfMemoryError");
        // The JVM logs to stdout by default, which carries messages to the parent.
        command.add("-Xlog:disable");
        command.add("-Xlog:all=error:stderr");
        command.add("-Xss512k");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        if (kind.vector) {
            command.add("--add-modules=jdk.incubator.vector");
            optimise(command, "compiler-directives.json");
            command.add("-XX:+UseTransparentHugePages");
        } else if (job == Length.LARGE) {
            // Its spawners keep copies of large blocks: the quick compiler's code takes ten times as long to decrypt
            // them.
            optimise(command, "compiler-directives-encryption.json");
        } else {
            command.add("-XX:TieredStopAtLevel=1");
        }
        if (kind == Kind.BRIEF) {
            // With the training's profiles the JVM compiles more, and earlier, than a job of seconds can make use of.
            command.add("-XX:+IgnoreUnrecognizedVMOptions"); // a newer JDK may have no such choice
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
     * The optimising compiler would work on the mesh's code for half a minute, beside the blocks that it is there for: a file
     * says what it may take. Copies of blocks come seldom, and the first ten of them would be encrypted as slowly as it can be
     * done if it took what encrypts no earlier than anything else.
     */
    private void optimise(List<String> command, String file) {
        command.add("-XX:CompileCommand=quiet"); // stdout carries messages
        command.add("-XX:CompileCommand=CompileThresholdScaling,com.sun.crypto.provider.*::*,0.1");
        Path directives = home.resolve("etc").resolve(file);
        if (Files.isRegularFile(directives)) {
            command.add("-XX:+UnlockDiagnosticVMOptions");
            command.add("-XX:CompilerDirectivesFile=" + directives);
            command.add("-XX:+DisplayVMOutputToStderr"); // the JVM confirms the file
        }
    }
}
