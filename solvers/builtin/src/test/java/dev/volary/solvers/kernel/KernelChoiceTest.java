// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each case in a JVM of its own, since the choice depends on how the JVM was started. */
final class KernelChoiceTest {
    private static final String VECTORS = "--add-modules=jdk.incubator.vector";

    /** Prints the kernel for a large and for a small block. */
    public static final class Chooser {
        private Chooser() {}

        public static void main(String[] args) {
            try {
                System.out.println(KernelChoice.forUnknowns(1 << 20).name() + " "
                        + KernelChoice.forUnknowns(100).name());
            } catch (IllegalArgumentException refused) {
                System.out.println(refused.getMessage());
            }
        }
    }

    @Test
    void largeBlocksUseVectorsAndSmallOnesPlainLoops() throws Exception {
        assertEquals("vector plain", choose(VECTORS));
    }

    @Test
    void theModuleIsLoadedWhenItIsWanted() throws Exception {
        assertEquals("vector plain", choose("--add-exports=java.base/jdk.internal.module=ALL-UNNAMED"));
    }

    @Test
    void withoutTheModulePlainLoopsAreUsed() throws Exception {
        assertEquals("plain plain", choose());
    }

    @Test
    void withoutTheOptimizingCompilerPlainLoopsAreUsed() throws Exception {
        assertEquals("plain plain", choose(VECTORS, "-XX:TieredStopAtLevel=1"));
        assertEquals("plain plain", choose(VECTORS, "-XX:TieredStopAtLevel=3"));
        assertEquals("plain plain", choose(VECTORS, "-Xint"));
    }

    /** A vector that one method hands to another is an object on the heap unless the compiler happens to inline the method. */
    @ParameterizedTest
    @ValueSource(strings = {"dev.volary.solvers.kernel.VectorKernel", "dev.volary.solvers.multigrid.VectorRows"})
    void noMethodTakesOrReturnsAVector(String kernel) throws Exception {
        for (Method method : Class.forName(kernel).getDeclaredMethods()) {
            assertTrue(
                    Stream.concat(Stream.of(method.getReturnType()), Stream.of(method.getParameterTypes()))
                            .noneMatch(type -> type.getPackageName().equals("jdk.incubator.vector")),
                    method::toString);
        }
    }

    @Test
    void thePropertyWins() throws Exception {
        assertEquals("plain plain", choose(VECTORS, "-Dvolary.kernel=plain"));
        assertEquals("vector vector", choose(VECTORS, "-XX:TieredStopAtLevel=1", "-Dvolary.kernel=vector"));
    }

    @Test
    void vectorsWithoutTheModuleAreRefusedWithTheFlagThatHelps() throws Exception {
        assertTrue(choose("-Dvolary.kernel=vector").endsWith("start Java with --add-modules jdk.incubator.vector"));
    }

    @Test
    void anUnknownKernelIsRefused() throws Exception {
        assertEquals(
                "system property volary.kernel is fast, must be auto, vector or plain", choose("-Dvolary.kernel=fast"));
    }

    @Test
    void thisJvmCompilesWithC2() {
        assertTrue(KernelChoice.compilesWithC2());
        assertFalse(ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty());
    }

    private static String choose(String... flags) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xshare:auto", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(flags));
        command.add(Chooser.class.getName());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor());
        return said.strip();
    }
}
