// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Ties processes to processors, with {@code taskset} of util-linux. */
final class CpuAffinity {
    private static final String ALLOWED = "Cpus_allowed_list:";

    private CpuAffinity() {}

    /** Numbers of the processors that this process may use. */
    static List<Integer> allowed() throws IOException {
        String ranges = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(ALLOWED))
                .map(line -> line.substring(ALLOWED.length()).strip())
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/self/status has no " + ALLOWED));
        return Arrays.stream(ranges.split(",", -1)).flatMap(CpuAffinity::range).toList();
    }

    /** The numbers of {@code 3} or {@code 3-5}. */
    private static Stream<Integer> range(String text) {
        String[] ends = text.split("-", -1);
        return IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                .boxed();
    }

    /** From now on all threads of this process, and those to come, run on one processor. */
    static void tieThisProcess(int processor) throws IOException, InterruptedException {
        if (!tie(ProcessHandle.current().pid(), List.of(processor))) {
            throw new IOException("taskset cannot tie this process to processor " + processor);
        }
    }

    /**
     * From now on all threads of a process, and those to come, run on these processors.
     *
     * @return whether; not if it has ended
     */
    static boolean tie(long process, List<Integer> processors) throws IOException, InterruptedException {
        String list = processors.stream().map(String::valueOf).collect(Collectors.joining(","));
        Process taskset = new ProcessBuilder(
                        "taskset", "--all-tasks", "--cpu-list", "--pid", list, Long.toString(process))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return taskset.waitFor() == 0;
    }

    /** What to put before a command so that it runs on one processor. */
    static List<String> tied(int processor) {
        return List.of("taskset", "--cpu-list", Integer.toString(processor));
    }
}
