// SPDX-License-Identifier: Apache-2.0
package dev.volary.mutant;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A deliberate bug: lines of {@code protocol}, {@code simulator} or {@code operator}, each replaced by another one. Only the changed files are
 * compiled, in memory.
 *
 * @param edits the changed lines; without any, the product as it is
 */
public record Mutant(List<Edit> edits) {

    /**
     * A changed line.
     *
     * @param file under {@code dev/volary}, without the suffix: {@code protocol/log/LogReplica}
     * @param line occurs once in the file; indentation does not count
     * @param replacement a statement, part of one, or nothing
     */
    public record Edit(String file, String line, String replacement) {
        private Path path() {
            String module = file.substring(0, file.indexOf('/'));
            return Path.of("..", module, "src/main/java/dev/volary", file + ".java");
        }

        /** Replaces the line; fails if it does not occur exactly once. */
        private String apply(String source) {
            List<String> lines = source.lines().toList();
            long found = lines.stream().filter(this::matches).count();
            assertEquals(1, found, () -> path() + " must have this line once: " + line);
            return lines.stream()
                    .map(text -> matches(text) ? replacement : text)
                    .collect(Collectors.joining("\n", "", "\n"));
        }

        private boolean matches(String text) {
            return text.strip().equals(line);
        }
    }

    public Mutant {
        edits = List.copyOf(edits);
    }

    /** Makes an instance that runs with the changed lines. Fails with the compiler's message if they do not compile. */
    public SimulatedRun load(Class<? extends SimulatedRun> kind) {
        try {
            return MutantCompiler.load(sources())
                    .loadClass(kind.getName())
                    .asSubclass(SimulatedRun.class)
                    .getConstructor()
                    .newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(kind.getName() + " cannot be made", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    kind.getName() + " must be public, with a constructor without parameters", e);
        }
    }

    /** The changed files, by class name. */
    private Map<String, String> sources() {
        Map<String, String> sources = new LinkedHashMap<>();
        for (Edit edit : edits) {
            String name = "dev.volary." + edit.file().replace('/', '.');
            sources.put(name, edit.apply(sources.getOrDefault(name, read(edit.path()))));
        }
        return sources;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
