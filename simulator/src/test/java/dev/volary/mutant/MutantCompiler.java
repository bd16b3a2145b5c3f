// SPDX-License-Identifier: Apache-2.0
package dev.volary.mutant;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles changed files in memory, against the class path of the test. */
final class MutantCompiler {
    private static final JavaCompiler JAVAC = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "no JDK");
    /** Used by all mutants: it remembers what is on the class path. */
    private static final StandardJavaFileManager CLASS_PATH = JAVAC.getStandardFileManager(null, null, null);

    private static final PackageGraph PACKAGES = new PackageGraph(CLASS_PATH);
    /** No checks of style: a mutant is wrong on purpose. */
    private static final List<String> OPTIONS =
            List.of("-proc:none", "-Xlint:none", "-classpath", System.getProperty("java.class.path"));

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String className, String text) {
            super(URI.create("mutant:///" + className.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Output extends SimpleJavaFileObject {
        private final ByteArrayOutputStream code = new ByteArrayOutputStream();

        Output(String className) {
            super(URI.create("mutant:///" + className.replace('.', '/') + Kind.CLASS.extension), Kind.CLASS);
        }

        @Override
        public OutputStream openOutputStream() {
            return code;
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, Output> outputs = new HashMap<>();

        InMemory() {
            super(CLASS_PATH);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return outputs.computeIfAbsent(className, Output::new);
        }
    }

    private MutantCompiler() {}

    /** Compiles sources, given by class name; returns what loads their classes, and those that must see them. */
    static synchronized ClassLoader load(Map<String, String> sources) {
        return new MutantClassLoader(compile(sources), PACKAGES.seeing(sources.keySet()));
    }

    private static Map<String, byte[]> compile(Map<String, String> sources) {
        if (sources.isEmpty()) {
            return Map.of();
        }
        List<Source> units = sources.entrySet().stream()
                .map(source -> new Source(source.getKey(), source.getValue()))
                .toList();
        InMemory classes = new InMemory();
        DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
        boolean compiled =
                JAVAC.getTask(null, classes, messages, OPTIONS, null, units).call();
        assertTrue(
                compiled,
                () -> messages.getDiagnostics().stream()
                        .filter(message -> message.getKind() == Diagnostic.Kind.ERROR)
                        .map(Diagnostic::toString)
                        .collect(Collectors.joining("\n", "the mutant does not compile:\n", "")));
        Map<String, byte[]> code = new HashMap<>();
        classes.outputs.forEach((name, output) -> code.put(name, output.code.toByteArray()));
        return code;
    }
}
