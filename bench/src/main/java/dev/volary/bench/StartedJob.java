// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A {@code volary run} that goes on while it is watched: its JSON lines, its worker processes and what each of them marks in its
 * log. Closing it ends all of its processes. Works on Linux, where a process shows which log it writes.
 */
public final class StartedJob implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long END_SECONDS = 20;

    private final Process process;
    private final Path folder;
    private final List<JsonNode> lines = new ArrayList<>();
    private final AtomicReference<@Nullable IOException> malformed = new AtomicReference<>();
    private final Thread reader;
    /** A benchmark that is interrupted leaves no job behind. */
    private final Thread onInterrupt = new Thread(this::stop, "stop-job");

    private StartedJob(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
        this.reader = Thread.ofPlatform().daemon().start(this::read);
        Runtime.getRuntime().addShutdownHook(onInterrupt);
    }

    /** Starts a manifest in a folder of its own; its workers mark what they do. */
    static StartedJob of(String manifest, String... options) throws IOException {
        return of(manifest, Map.of(), options);
    }

    /** As above, with these variables in the environment. */
    static StartedJob of(String manifest, Map<String, String> environment, String... options) throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        all.put("VOLARY_TRACE", "1");
        return start(manifest, all, Stream.concat(Stream.of("--no-picture"), Arrays.stream(options)));
    }

    /** Starts a manifest in a folder of its own, just so. */
    public static StartedJob start(String manifest, Map<String, String> environment, Stream<String> options)
            throws IOException {
        Path folder = Files.createTempDirectory("volary-bench");
        Path file = Files.writeString(folder.resolve("job.yaml"), manifest);
        List<String> command = new ArrayList<>(List.of(
                "./volary",
                "run",
                file.toString(),
                "--json",
                "--output",
                folder.resolve("out").toString()));
        options.forEach(command::add);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        return new StartedJob(builder.start(), folder);
    }

    private void read() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                parse(line);
            }
        } catch (IOException closed) {
            // The run was ended in the middle of a line.
        }
    }

    private void parse(String line) {
        try {
            JsonNode parsed = JSON.readTree(line);
            synchronized (lines) {
                lines.add(parsed);
            }
        } catch (JsonProcessingException e) {
            malformed.compareAndSet(null, e); // the others are read on, or the run would wait for that
        }
    }

    /** What it has said so far. */
    public List<JsonNode> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** Events of a type so far. */
    List<JsonNode> events(String type) {
        return lines().stream()
                .filter(line -> line.path("event").asText().equals(type))
                .map(line -> line.path("details"))
                .toList();
    }

    /** The newest state of all daemons, by name; empty before the first. */
    List<JsonNode> daemons() {
        List<JsonNode> all = lines().stream()
                .filter(line -> line.path("type").asText().equals("daemons"))
                .toList();
        List<JsonNode> rows = new ArrayList<>();
        if (!all.isEmpty()) {
            all.getLast().path("daemons").forEach(rows::add);
        }
        return rows;
    }

    /** Daemons that have blocks, and whose processes live. */
    public List<JsonNode> serving() {
        NavigableMap<String, ProcessHandle> workers = workers();
        return daemons().stream()
                .filter(row -> !row.path("blocks").isEmpty()
                        && workers.containsKey(row.path("name").asText()))
                .toList();
    }

    /** Kills a worker with SIGKILL; returns when, in the time of {@link System#nanoTime}. */
    public long kill(String worker) {
        ProcessHandle process = Objects.requireNonNull(workers().get(worker), worker);
        long at = System.nanoTime();
        if (!process.destroyForcibly()) {
            throw new IllegalStateException(worker + " could not be killed");
        }
        return at;
    }

    /** The process of the command. */
    long pid() {
        return process.pid();
    }

    /** The processes of all workers that live, by name. */
    NavigableMap<String, ProcessHandle> workers() {
        TreeMap<String, ProcessHandle> workers = new TreeMap<>();
        process.descendants()
                .filter(ProcessHandle::isAlive)
                .forEach(each -> log(each.pid()).ifPresent(name -> workers.put(name, each)));
        return workers;
    }

    private static Optional<String> log(long pid) {
        try {
            String file = Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "fd", "2"))
                    .getFileName()
                    .toString();
            return file.endsWith(".log") ? Optional.of(file.substring(0, file.length() - 4)) : Optional.empty();
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    /** What a worker has marked so far. */
    List<TraceMark> marks(String worker) {
        Path log = folder.resolve("out").resolve("logs").resolve(worker + ".log");
        try {
            return Files.exists(log)
                    ? Files.readAllLines(log).stream()
                            .filter(line -> line.startsWith("mark "))
                            .map(line -> TraceMark.parse(worker, line))
                            .flatMap(Optional::stream)
                            .toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What all workers there ever were have marked, in the order of time. */
    List<TraceMark> marks() throws IOException {
        List<TraceMark> all = new ArrayList<>();
        try (Stream<Path> logs = Files.list(folder.resolve("out").resolve("logs"))) {
            logs.map(path -> path.getFileName().toString())
                    .filter(name -> name.endsWith(".log"))
                    .forEach(name -> all.addAll(marks(name.substring(0, name.length() - 4))));
        }
        all.sort(Comparator.comparingLong(TraceMark::nanos));
        return all;
    }

    /**
     * Waits for something.
     *
     * @return whether it came in time, the run not having ended before
     */
    boolean await(BooleanSupplier condition, double seconds) throws InterruptedException {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end || !process.isAlive()) {
                return condition.getAsBoolean();
            }
            Thread.sleep(20);
        }
        return true;
    }

    /**
     * Waits until this number of daemons has blocks.
     *
     * @throws IllegalStateException if they do not in time
     */
    void awaitServing(int daemons, double seconds) throws InterruptedException {
        if (!await(() -> serving().size() == daemons, seconds)) {
            throw new IllegalStateException("not all daemons iterate after " + seconds + " s");
        }
    }

    /** Whether the command runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Waits for the end and returns its status.
     *
     * @throws IOException if it said something that is no JSON
     */
    public int end() throws IOException, InterruptedException {
        int status = process.waitFor();
        reader.join();
        IOException first = malformed.get();
        if (first != null) {
            throw new IOException("a line of the run is no JSON: " + first.getMessage(), first);
        }
        return status;
    }

    @Override
    public void close() {
        try {
            if (Runtime.getRuntime().removeShutdownHook(onInterrupt)) {
                stop();
            }
        } catch (IllegalStateException ending) {
            // Then it is stopped by that.
        }
    }

    private void stop() {
        List<ProcessHandle> all = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            all.forEach(ProcessHandle::destroyForcibly);
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
            all.forEach(ProcessHandle::destroyForcibly);
        }
        if (System.getenv("BENCH_KEEP") != null) {
            System.err.println("kept " + folder);
            return;
        }
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
