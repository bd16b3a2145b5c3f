// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import dev.volary.cli.console.JsonText;
import dev.volary.cli.console.VersionText;
import dev.volary.zarr.ResultAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The content of the file {@code provenance.json}: everything needed to reproduce a result.
 *
 * @param manifest the manifest, verbatim
 * @param outcome outcome of the run
 * @param seed seed of all random choices
 * @param host name of the machine
 * @param started start of the run
 * @param timings durations of named phases
 * @param workers the worker processes
 * @param links statistics of the links between blocks
 * @param certificate certificate of the result; empty if it is not certified
 */
public record Provenance(
        String manifest,
        String outcome,
        long seed,
        String host,
        Instant started,
        Map<String, Duration> timings,
        List<Worker> workers,
        List<LinkRecord> links,
        Optional<ResultAttributes> certificate) {

    /**
     * A worker process.
     *
     * @param name its identity
     * @param role daemon or spawner
     * @param host name of its machine
     * @param pid process id
     * @param blocks blocks it computed
     * @param iterations iterations of all its blocks together
     */
    public record Worker(String name, String role, String host, long pid, List<Integer> blocks, long iterations) {}

    /** Writes the file atomically. */
    public void write(Path file) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".partial");
        try {
            Files.writeString(unfinished, JsonText.pretty(json()) + "\n");
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw OutputFolder.notWritten(file, failed);
        }
    }

    private Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("outcome", outcome);
        json.put("certificate", certificate.map(ResultAttributes::toMap));
        json.put("started", started.toString());
        Map<String, Object> seconds = new LinkedHashMap<>();
        timings.forEach((phase, time) -> seconds.put(phase, time.toNanos() / 1e9));
        json.put("timings_s", seconds);
        json.put("seed", seed);
        json.put("host", host);
        json.put("versions", versions());
        json.put("workers", workers.stream().map(Provenance::json).toList());
        json.put("links", links.stream().map(LinkRecord::json).toList());
        json.put("manifest", manifest);
        return json;
    }

    private static Map<String, Object> versions() {
        Map<String, Object> versions = new LinkedHashMap<>();
        versions.put("volary", VersionText.volary());
        versions.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
        versions.put("java_vendor", System.getProperty("java.vendor"));
        versions.put(
                "os",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        versions.put("processors", Runtime.getRuntime().availableProcessors());
        return versions;
    }

    private static Map<String, Object> json(Worker worker) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", worker.name());
        json.put("role", worker.role());
        json.put("host", worker.host());
        json.put("pid", worker.pid());
        json.put("blocks", worker.blocks());
        json.put("iterations", worker.iterations());
        return json;
    }
}
