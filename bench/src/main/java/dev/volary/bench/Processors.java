package dev.volary.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Ties processes to processors, with {@code taskset} of util-linux. */
final class Processors {
    private static final String ALLOWED = "Cpus_allowed_list:";

    private Processors() {}

    /** Numbers of the processors that this process may use. */
    static List<Integer> allowed() throws IOException {
        List<Integer> result = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith(ALLOWED)) {
                for (String range : line.substring(ALLOWED.length()).strip().split(",", -1)) {
                    String[] ends = range.split("-", -1);
                    int last = Integer.parseInt(ends[ends.length - 1]);
                    for (int processor = Integer.parseInt(ends[0]); processor <= last; processor++) {
                        result.add(processor);
                    }
                }
            }
        }
        return result;
    }

    /** From now on all threads of this process, and those to come, run on one processor. */
    static void tieThisProcess(int processor) throws IOException, InterruptedException {
        Process taskset = new ProcessBuilder(
                        "taskset",
                        "--all-tasks",
                        "--cpu-list",
                        "--pid",
                        Integer.toString(processor),
                        Long.toString(ProcessHandle.current().pid()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (taskset.waitFor() != 0) {
            throw new IOException("taskset cannot tie this process to processor " + processor);
        }
    }

    /** What to put before a command so that it runs on one processor. */
    static List<String> tied(int processor) {
        return List.of("taskset", "--cpu-list", Integer.toString(processor));
    }
}
