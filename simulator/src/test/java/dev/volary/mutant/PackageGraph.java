// SPDX-License-Identifier: Apache-2.0
package dev.volary.mutant;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.StandardLocation;

/** Which packages of the protocol, the simulator and the operator refer to which others, read from the constants of their class files. */
final class PackageGraph {
    private static final Pattern CLASS =
            Pattern.compile("(dev/volary/(?:protocol|simulator|operator)(?:/[a-z]+)*)/[A-Z]");

    /** Of each package, those whose classes refer to it; itself is one of them. */
    private final Map<String, Set<String>> referrers = new HashMap<>();

    PackageGraph(JavaFileManager files) {
        try {
            for (String root : new String[] {"dev.volary.protocol", "dev.volary.simulator", "dev.volary.operator"}) {
                for (JavaFileObject file :
                        files.list(StandardLocation.CLASS_PATH, root, Set.of(JavaFileObject.Kind.CLASS), true)) {
                    read(packageOf(files.inferBinaryName(StandardLocation.CLASS_PATH, file)), file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(String referrer, JavaFileObject file) throws IOException {
        try (InputStream in = file.openInputStream()) {
            String constants = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            CLASS.matcher(constants)
                    .results()
                    .map((MatchResult found) -> found.group(1).replace('/', '.'))
                    .forEach(named -> referrers
                            .computeIfAbsent(named, name -> new HashSet<>())
                            .add(referrer));
        }
    }

    /** The packages of these classes, and all that refer to them, directly or not. */
    Set<String> seeing(Set<String> classes) {
        Set<String> seeing = new HashSet<>();
        classes.forEach(name -> seeing.add(packageOf(name)));
        ArrayDeque<String> open = new ArrayDeque<>(seeing);
        while (!open.isEmpty()) {
            for (String referrer : referrers.getOrDefault(open.removeFirst(), Set.of())) {
                if (seeing.add(referrer)) {
                    open.add(referrer);
                }
            }
        }
        return seeing;
    }

    static String packageOf(String className) {
        return className.substring(0, Math.max(0, className.lastIndexOf('.')));
    }
}
