// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.cluster.client.ClusterClient;
import dev.volary.cli.cluster.client.JobArgument;
import dev.volary.cli.cluster.client.SpawnerConnections;
import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.Units;
import dev.volary.cli.console.UsageException;
import dev.volary.job.resource.IterativeJob;
import dev.volary.job.spec.ResultSpec;
import dev.volary.mesh.spawnerapi.DownloadWriteException;
import dev.volary.mesh.spawnerapi.ResultDigest;
import dev.volary.mesh.v1.FetchedFile;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.WriteFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code volary fetch}: downloads the result from a spawner that holds it, and acknowledges it once it is on disk here. */
@Command(
        name = "fetch",
        description = {
            "Download the result of a finished job from a spawner that holds it, and show its certificate.",
            "The spawners keep the result until it is complete, checked and on disk here.",
            "An interrupted fetch keeps what arrived; the next one to the same folder continues.",
            "Requires the rights to read secret volary-<job>-ca and to forward ports."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class FetchCommand implements Callable<Integer> {
    private final Style style;
    private final boolean isTerminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FOLDER",
            description = "Folder for result.zarr. Default: out/<job>.")
    private Optional<Path> output = Optional.empty();

    @Option(
            names = {"-q", "--quiet"},
            description = "Print nothing unless something fails.")
    private boolean quiet;

    @Mixin
    private JobArgument named = new JobArgument();

    /**
     * @param style for the summary
     * @param isTerminal whether standard output is a terminal: then a line shows the progress
     */
    public FetchCommand(Style style, boolean isTerminal) {
        this.style = style;
        this.isTerminal = isTerminal;
    }

    @Override
    public Integer call() throws UsageException, IOException {
        try (ClusterClient cluster = named.connect()) {
            IterativeJob job = named.in(cluster);
            requireResult(job);
            requireSpawners(job, SpawnerConnections.running(cluster, job));
            try (SpawnerConnections spawners = SpawnerConnections.of(cluster, job);
                    ResultDownload download = ResultDownload.in(output.orElse(Path.of("out", named.name())))) {
                return fetch(job, spawners, download);
            }
        }
    }

    private int fetch(IterativeJob job, SpawnerConnections spawners, ResultDownload download) throws IOException {
        Holders holders = holders(job, spawners);
        PrintWriter out = spec.commandLine().getOut();
        TransferDisplay display = new TransferDisplay(
                out, isTerminal && !quiet ? TransferDisplay.Mode.LINE : TransferDisplay.Mode.NONE, System::nanoTime);
        Thread interrupted = new Thread(
                () -> spec.commandLine()
                        .getErr()
                        .println((isTerminal ? System.lineSeparator() : "") + "interrupted; " + download.leftover()),
                "interrupted");
        Runtime.getRuntime().addShutdownHook(interrupted);
        List<FetchedFile> files;
        ResultAttributes certificate;
        try {
            files = fetch(holders, spawners, download, display);
            certificate = download.accept();
        } finally {
            display.close();
            remove(interrupted);
        }
        // the result is on disk: a failure from here on loses nothing
        List<String> failures = acknowledge(holders, spawners, ResultDigest.of(files));
        if (!quiet) {
            certificateLines(certificate, style).forEach(out::println);
            out.println("  transfer            " + display.summary());
            out.println("  result              " + download.result() + ", " + files.size() + " files, "
                    + Units.bytes(
                            files.stream().mapToLong(FetchedFile::getBytes).sum()) + ", checksums correct");
        }
        if (failures.size() == holders.pods().size()) {
            spec.commandLine()
                    .getErr()
                    .println("warning: the result is complete, but no spawner could be notified: "
                            + String.join("; ", failures)
                            + "; the spawners keep running until spec.ttlSecondsAfterFinished"
                            + " expires or the result is fetched again");
        }
        return (certificate.certified() ? ExitCode.CERTIFIED : ExitCode.NOT_CONVERGED).code();
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException interrupted) {
            // the process is ending, and the hook says so
        }
    }

    private void requireResult(IterativeJob job) throws UsageException {
        if (!StatusText.phase(job).isFinal()) {
            throw new UsageException("job " + named.name() + " is " + StatusText.phase(job)
                    + ", so it has no result yet; wait with `kubectl wait --for=condition=Complete ij/" + named.name()
                    + "`");
        }
        Optional<String> location = StatusText.resultLocation(job);
        if (location.isPresent()) {
            throw new UsageException("the result of job " + named.name() + " is in " + location.get() + " ("
                    + (job.getSpec().result().destination() == ResultSpec.Destination.Volume
                            ? "on the volume of spec.result.volume"
                            : "spec.result.objectStore")
                    + "), not with the spawners; read it there");
        }
    }

    /** Reports that the result of a job that succeeded no longer exists: no spawner is left. */
    private void requireSpawners(IterativeJob job, List<String> running) throws IOException {
        if (!running.isEmpty() || !StatusText.hasResult(job)) {
            return;
        } else if (StatusText.isFetched(job)) {
            throw new IOException("the result of job " + named.name()
                    + " was fetched, and its spawners have ended; apply the job again to recompute it");
        }
        throw new IOException(lost());
    }

    private String lost() {
        return "the result of job " + named.name() + " is lost: no spawner that holds it is left; apply the job again";
    }

    /**
     * Where the result is.
     *
     * @param pods pods of the spawners that hold it
     * @param others why each other spawner does not have it
     */
    private record Holders(List<String> pods, List<String> others) {}

    private Holders holders(IterativeJob job, SpawnerConnections spawners) throws IOException {
        List<String> pods = new ArrayList<>();
        List<String> others = new ArrayList<>();
        boolean mayExist = false;
        for (String pod : spawners.pods()) {
            try {
                StatusReply status = spawners.to(pod).status(Long.MAX_VALUE);
                mayExist |= status.getResultPending();
                if (status.getResultReady()) {
                    pods.add(pod);
                } else {
                    others.add(pod + ": has no result");
                }
            } catch (IOException e) {
                mayExist = true;
                others.add(spawners.failure(pod, e));
            }
        }
        if (pods.isEmpty() && !mayExist && StatusText.hasResult(job)) {
            throw new IOException(lost() + " (" + String.join("; ", others) + ")");
        }
        return new Holders(pods, others);
    }

    /** Fetches the result from one holder after another: the next one continues where the one before broke off. */
    private List<FetchedFile> fetch(
            Holders holders, SpawnerConnections spawners, ResultDownload download, TransferDisplay display)
            throws IOException {
        List<String> reasons = new ArrayList<>(holders.others());
        for (String pod : holders.pods()) {
            try {
                return spawners.to(pod).fetch(download.folder(), 0, display);
            } catch (DownloadWriteException e) {
                throw new IOException(
                        WriteFailure.of(download.folder(), e).getMessage() + "; " + download.leftover(), e);
            } catch (IOException e) {
                reasons.add(spawners.failure(pod, e));
            }
        }
        throw new IOException("the result of job " + named.name() + " could not be fetched from any spawner: "
                + String.join("; ", reasons) + "; "
                + (holders.pods().isEmpty() ? "" : download.leftover() + "; ") + "`volary status " + named.name()
                + "` shows how the job ended");
    }

    /** Acknowledges the result at every holder; returns the failures. */
    private static List<String> acknowledge(Holders holders, SpawnerConnections spawners, String digest) {
        List<String> failures = new ArrayList<>();
        for (String pod : holders.pods()) {
            try {
                spawners.to(pod).acknowledge(digest);
            } catch (IOException e) {
                failures.add(spawners.failure(pod, e));
            }
        }
        return failures;
    }

    /** The certificate of a result, formatted like the summary of a local run. */
    static List<String> certificateLines(ResultAttributes result, Style style) {
        List<String> lines = new ArrayList<>();
        lines.add(style.bold(
                result.certified()
                        ? style.green(result.job() + ": certified")
                        : style.red(result.job() + ": not converged")));
        lines.add("  problem             " + result.problem());
        lines.add("  certified residual  " + Units.small(result.certifiedResidual())
                + (result.certifiedResidual() <= result.tolerance() ? " ≤ " : " > ") + Units.small(result.tolerance())
                + " (relative), " + Units.small(result.certifiedResidualAbsolute()) + " absolute, snapshot "
                + result.snapshot());
        if (!result.certified() && result.steps() == 0) {
            lines.add("  best answer         that was reached before spec.activeDeadlineSeconds expired, after about "
                    + Units.grouped(result.iterations()) + " iterations of a block");
        }
        if (result.steps() > 0) {
            lines.add("  time steps          " + result.step() + " of " + result.steps());
        }
        return lines;
    }
}
