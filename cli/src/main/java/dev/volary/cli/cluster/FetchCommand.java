package dev.volary.cli.cluster;

import dev.volary.cli.Amount;
import dev.volary.cli.BadInput;
import dev.volary.cli.ExitCode;
import dev.volary.cli.Style;
import dev.volary.crd.api.IterativeJob;
import dev.volary.crd.api.ResultSpec;
import dev.volary.mesh.job.SpawnerClient;
import dev.volary.mesh.v1.FetchedFile;
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

/** {@code volary fetch}: brings the result home from the spawner that has it. */
@Command(
        name = "fetch",
        description = {
            "Brings a finished job's result from its lead, and shows its certificate.",
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
    private NamedJob named = new NamedJob();

    public FetchCommand(Style style) {
        this.style = style;
    }

    @Override
    public Integer call() throws BadInput, IOException {
        try (Cluster cluster = named.connect()) {
            IterativeJob job = named.in(cluster);
            refuse(job);
            ArrivingResult arriving = ArrivingResult.in(output.orElse(Path.of("out", named.name())));
            try (JobSpawners spawners = JobSpawners.of(cluster, job)) {
                List<FetchedFile> files = fetch(spawners, arriving);
                ResultAttributes certificate = arriving.accept();
                PrintWriter out = spec.commandLine().getOut();
                CertificateText.lines(certificate, style).forEach(out::println);
                out.println("  result              " + arriving.result() + ", " + files.size() + " files, "
                        + Amount.bytes(
                                files.stream().mapToLong(FetchedFile::getBytes).sum()) + ", checksums right");
                return (certificate.certified() ? ExitCode.CERTIFIED : ExitCode.NOT_CONVERGED).code();
            } finally {
                arriving.discard();
            }
        }
    }

    private void refuse(IterativeJob job) throws BadInput {
        if (!StatusText.phase(job).isFinal()) {
            throw new BadInput("job " + named.name() + " is " + StatusText.phase(job)
                    + ", it has no result yet; wait with `kubectl wait --for=condition=Converged ij/" + named.name()
                    + "`");
        }
        ResultSpec result = job.getSpec().result();
        if (result.destination() == ResultSpec.Destination.Volume) {
            throw new BadInput(
                    "job " + named.name() + " writes its result to a volume (spec.result.destination: Volume);"
                            + " read it from the claim that spec.result.volume names");
        }
    }

    private List<FetchedFile> fetch(JobSpawners spawners, ArrivingResult arriving) throws IOException {
        List<String> reasons = new ArrayList<>();
        for (String pod : spawners.pods()) {
            try {
                SpawnerClient client = spawners.to(pod);
                if (client.status(Long.MAX_VALUE).getResultReady()) {
                    return client.fetch(arriving.folder());
                }
                reasons.add(pod + ": has no result");
            } catch (IOException e) {
                reasons.add(spawners.failure(pod, e));
            }
        }
        throw new IOException("the result of job " + named.name() + " could not be fetched from any spawner: "
                + String.join("; ", reasons) + "; `volary status " + named.name() + "` says how the job ended");
    }
}
