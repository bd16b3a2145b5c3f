// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The compiler takes directives for methods that do not exist without a word. */
class CompilerDirectivesTest {
    private static final Pattern METHODS = Pattern.compile("\"-?(dev/volary/solvers/[a-z/]+/)(\\w+|\\*)\\.\\*?(\\w*)");

    @Test
    void directivesNameMethodsThatExist() throws Exception {
        Matcher named = METHODS.matcher(Files.readString(Path.of("../../dist/compiler-directives.json")));
        int count = 0;
        while (named.find()) {
            count++;
            assertTrue(exists(named.group(1), named.group(2), named.group(3)), named.group());
        }
        assertTrue(count >= 5, "directives for solvers are found");
    }

    private static boolean exists(String folder, String type, String end) throws Exception {
        try (Stream<Path> files = Files.list(Path.of("target/classes", folder))) {
            for (Path file : files.toList()) {
                String name = String.valueOf(file.getFileName()).replace(".class", "");
                if ((type.equals("*") || name.equals(type)) && !name.contains("-")) {
                    Method[] methods =
                            Class.forName(folder.replace('/', '.') + name).getDeclaredMethods();
                    if (Arrays.stream(methods)
                            .anyMatch(method -> method.getName().endsWith(end))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
