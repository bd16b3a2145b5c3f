// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.ExitCode;
import dev.volary.cli.Style;
import dev.volary.cli.Units;
import dev.volary.cli.UsageException;
import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Phase;
import dev.volary.job.spec.ResultSpec;
import dev.volary.mesh.job.ResultDigest;
import dev.volary.mesh.v1.FetchedFile;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.zarr.ResultAttributes;
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

/** {@code volary fetch}: downloads the result from a spawner that holds it, and acknowledges it once it is durable here. */
@Command(
        name = "fetch",
        description = {
            "Downloads a finished job's result from a spawner that holds it, and shows its certificate.",
            "The spawners keep the result until it is complete, checked and durable here.",
            "Needs the rights to read secret <job>-ca and to forward ports."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class FetchCommand implements Callable<Integer> {
    private final Style style;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FOLDER",
            description = "Where result.zarr goes; out/<job> if not given.")
    private Optional<Path> output = Optional.empty();

    @Mixin
    private JobArgument named = new JobArgument();

    public FetchCommand(Style style) {
        this.style = style;
    }

    @Override
    public Integer call() throws UsageException, IOException {
        try (ClusterClient cluster = named.connect()) {
            IterativeJob job = named.in(cluster);
            refuse(job);
            refuseReleased(job, SpawnerConnections.running(cluster, job));
            try (SpawnerConnections spawners = SpawnerConnections.of(cluster, job)) {
                ResultDownload arriving = ResultDownload.in(output.orElse(Path.of("out", named.name())));
                try {
                    return fetch(job, spawners, arriving);
                } finally {
                    arriving.discard();
                }
            }
        }
    }

    private int fetch(IterativeJob job, SpawnerConnections spawners, ResultDownload arriving) throws IOException {
        Holders holders = holders(job, spawners);
        List<FetchedFile> files = fetch(holders, spawners, arriving);
        ResultAttributes certificate = arriving.accept();
        // From here on the result is durable: whatever fails now loses nothing.
        List<String> unaware = acknowledge(holders, spawners, ResultDigest.of(files));
        PrintWriter out = spec.commandLine().getOut();
        CertificateText.lines(certificate, style).forEach(out::println);
        out.println("  result              " + arriving.result() + ", " + files.size() + " files, "
                + Units.bytes(files.stream().mapToLong(FetchedFile::getBytes).sum()) + ", checksums right");
        if (unaware.size() == holders.pods().size()) {
            spec.commandLine()
                    .getErr()
                    .println("warning: the result is complete, but no spawner knows that it was fetched: "
                            + String.join("; ", unaware)
                            + "; the job's spawners stay until spec.ttlSecondsAfterFinished"
                            + " is over or the result is fetched again");
        }
        return (certificate.certified() ? ExitCode.CERTIFIED : ExitCode.NOT_CONVERGED).code();
    }

    private void refuse(IterativeJob job) throws UsageException {
        if (!StatusText.phase(job).isFinal()) {
            throw new UsageException("job " + named.name() + " is " + StatusText.phase(job)
                    + ", it has no result yet; wait with `kubectl wait --for=condition=Converged ij/" + named.name()
                    + "`");
        }
        ResultSpec result = job.getSpec().result();
        if (result.destination() == ResultSpec.Destination.Volume) {
            throw new UsageException(
                    "job " + named.name() + " writes its result to a volume (spec.result.destination: Volume);"
                            + " read it from the claim that spec.result.volume names");
        }
    }

    /** Where no spawner of a job that succeeded is left, its result is gone. */
    private void refuseReleased(IterativeJob job, List<String> running) throws IOException {
        if (!running.isEmpty() || StatusText.phase(job) != Phase.Succeeded) {
            return;
        } else if (StatusText.isFetched(job)) {
            throw new IOException("the result of job " + named.name()
                    + " was fetched, and its spawners have ended; apply the job again to compute it once more");
        }
        throw new IOException(lost());
    }

    private String lost() {
        return "the result of job " + named.name() + " is lost: no spawner that holds it is left; apply the job again";
    }

    /**
     * Who has the result.
     *
     * @param pods of spawners that hold it
     * @param others why each other one has it not
     */
    private record Holders(List<String> pods, List<String> others) {}

    private Holders holders(IterativeJob job, SpawnerConnections spawners) throws IOException {
        List<String> pods = new ArrayList<>();
        List<String> others = new ArrayList<>();
        boolean perhaps = false;
        for (String pod : spawners.pods()) {
            try {
                StatusReply status = spawners.to(pod).status(Long.MAX_VALUE);
                perhaps |= status.getResultPending();
                if (status.getResultReady()) {
                    pods.add(pod);
                } else {
                    others.add(pod + ": has no result");
                }
            } catch (IOException e) {
                perhaps = true;
                others.add(spawners.failure(pod, e));
            }
        }
        if (pods.isEmpty() && !perhaps && StatusText.phase(job) == Phase.Succeeded) {
            throw new IOException(lost() + " (" + String.join("; ", others) + ")");
        }
        return new Holders(pods, others);
    }

    private List<FetchedFile> fetch(Holders holders, SpawnerConnections spawners, ResultDownload arriving)
            throws IOException {
        List<String> reasons = new ArrayList<>(holders.others());
        for (String pod : holders.pods()) {
            try {
                arriving.restart();
                return spawners.to(pod).fetch(arriving.folder());
            } catch (IOException e) {
                reasons.add(spawners.failure(pod, e));
            }
        }
        throw new IOException("the result of job " + named.name() + " could not be fetched from any spawner: "
                + String.join("; ", reasons) + "; `volary status " + named.name() + "` says how the job ended");
    }

    /** Tells all that hold the result; returns why those do not know it that could not be told. */
    private static List<String> acknowledge(Holders holders, SpawnerConnections spawners, String digest) {
        List<String> unaware = new ArrayList<>();
        for (String pod : holders.pods()) {
            try {
                spawners.to(pod).acknowledge(digest);
            } catch (IOException e) {
                unaware.add(spawners.failure(pod, e));
            }
        }
        return unaware;
    }
}
