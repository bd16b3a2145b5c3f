// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.check.LocalStores;
import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.Units;
import dev.volary.cli.console.VersionText;
import dev.volary.cli.display.Display;
import dev.volary.cli.display.JobView.Phase;
import dev.volary.cli.display.Summary;
import dev.volary.cli.local.LocalDeployment;
import dev.volary.cli.local.LocalJob;
import dev.volary.cli.local.ProcessEvent;
import dev.volary.cli.local.RunObserver;
import dev.volary.cli.local.RunSettings;
import dev.volary.cli.local.WorkerJvm;
import dev.volary.cli.plot.ResultPlot;
import dev.volary.cli.result.OutputFolder;
import dev.volary.cli.result.Provenance;
import dev.volary.job.manifest.ManifestException;
import dev.volary.job.spec.JobSpec;
import dev.volary.job.spec.ObjectStoreSpec;
import dev.volary.job.spec.RestoreSpec;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.LinkReports;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.message.ProgressMessage.DaemonReport;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import dev.volary.storage.BlobStore;
import dev.volary.storage.ObjectStore;
import dev.volary.storage.StorageRefusedException;
import dev.volary.zarr.ResultAttributes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs a job on this machine, shows its progress and writes its output folder. */
final class LocalRun implements RunObserver {
    private static final long REDRAW_NANOS = Duration.ofMillis(200).toNanos();

    private final ValidatedJob checked;
    private final RunSettings settings;
    private final WorkerJvm jvm;
    private final Display display;
    private final Instant started;
    private final boolean picture;
    private final RunProgress progress;
    private final OutputFolder output;
    private final RunRecorder recorder;
    private Map<String, Long> pids = Map.of();
    private Optional<String> published = Optional.empty();
    private long drawnAt;

    LocalRun(
            ValidatedJob checked,
            RunSettings settings,
            WorkerJvm jvm,
            Display display,
            Instant started,
            boolean picture)
            throws IOException {
        this.checked = checked;
        this.settings = settings;
        this.jvm = jvm;
        this.display = display;
        this.started = started;
        this.picture = picture;
        this.progress = new RunProgress(checked);
        this.output = OutputFolder.create(settings.output());
        this.recorder = new RunRecorder(output, progress, checked);
    }

    /**
     * Runs the job and returns the exit code.
     *
     * @throws ManifestException if the job names storage for its result that refuses it
     */
    ExitCode run() throws IOException, GeneralSecurityException, InterruptedException, ManifestException {
        JobDescription job = LocalDeployment.describe(checked, settings, VersionText.volary());
        checkStorage(job);
        JobOutcome outcome;
        try (display;
                recorder) {
            // a result of an earlier run must not pass for the result of this run
            RunRecorder.deleteEarlier(output);
            Map<String, Duration> timings = new LinkedHashMap<>();
            try (LocalJob workers = new LocalJob(checked, job, settings, jvm, this)) {
                outcome = workers.run();
                timings.put("until_outcome", progress.elapsed());
                workers.stop();
                pids = workers.pids();
                progress.end(phase(outcome));
                recorder.ended(outcome);
                if (Files.isDirectory(output.result())) {
                    RunRecorder.deleteSteps(output);
                }
                if (picture && Files.isDirectory(output.result())) {
                    ResultPlot.draw(output.result(), output.picture());
                }
            }
            timings.put("computing", progress.computing());
            timings.put("whole", progress.elapsed());
            provenance(outcome, timings).write(output.provenance());
            show();
            display.finish(summary(outcome));
        }
        return switch (outcome) {
            case JobOutcome.Certified certified -> ExitCode.CERTIFIED;
            case JobOutcome.NotConverged late -> ExitCode.NOT_CONVERGED;
            case JobOutcome.Failed failed -> ExitCode.FAILED;
        };
    }

    /** Finds wrong buckets, and credentials without rights, before workers start. */
    private void checkStorage(JobDescription job) throws IOException, ManifestException {
        JobSpec spec = checked.spec();
        String key = job.getName() + "/." + job.getUid() + "-write-test";
        checkStorage("result", spec.result().objectStore(), "results", store -> store.checkWritable(key));
        if (job.hasCheckpointStore()) {
            checkStorage(
                    "checkpoint", spec.checkpoint().objectStore(), "checkpoints", store -> store.checkWritable(key));
        }
        RestoreSpec restore = spec.restoreFrom();
        if (restore != null && job.hasRestoreStore()) {
            checkStorage("restoreFrom", restore.objectStore(), "access", store -> store.list(job.getName() + "/"));
        }
    }

    private interface StorageCheck {
        void of(BlobStore store) throws IOException;
    }

    private void checkStorage(String field, @Nullable ObjectStoreSpec named, String refused, StorageCheck check)
            throws IOException, ManifestException {
        if (named == null) {
            return;
        }
        try (BlobStore store = ObjectStore.open(LocalStores.settings(named))) {
            check.of(store);
        } catch (StorageRefusedException e) {
            throw new ManifestException(List.of(checked.manifest()
                    .error(
                            "spec." + field + ".objectStore",
                            "names storage that refuses " + refused + ": " + e.getMessage())));
        }
    }

    @Override
    public void ready(Member worker) {
        progress.ready(worker);
    }

    @Override
    public void event(JobEvent event, Map<WorkerId, String> names) {
        record(progress.take(event, names, System.nanoTime()));
        if (event instanceof JobEvent.ResultPublished(String location)) {
            published = Optional.of(location);
        }
        if (event instanceof JobEvent.SnapshotClosed closed) {
            try {
                recorder.take(closed);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            drawnAt = 0;
        }
    }

    @Override
    public void processEvent(ProcessEvent event) {
        record(List.of(progress.take(event, System.nanoTime())));
    }

    private void record(List<EventRecord> records) {
        try {
            recorder.take(records);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void links(LinkReports links) {
        recorder.take(links);
    }

    @Override
    public void recorded(DaemonReport report) {
        progress.recorded(report);
    }

    @Override
    public void coreTime(Duration all) {
        progress.coreTime(all);
    }

    @Override
    public void tick() {
        long now = System.nanoTime();
        if (now - drawnAt >= REDRAW_NANOS) {
            drawnAt = now;
            show();
        }
    }

    private void show() {
        display.update(progress.view());
        progress.shown();
    }

    private static Phase phase(JobOutcome outcome) {
        return switch (outcome) {
            case JobOutcome.Certified certified -> Phase.CERTIFIED;
            case JobOutcome.NotConverged late -> Phase.NOT_CONVERGED;
            case JobOutcome.Failed failed -> Phase.FAILED;
        };
    }

    private double residual(JobOutcome outcome) {
        return switch (outcome) {
            case JobOutcome.Certified certified -> checked.tolerance().relative(certified.residual());
            case JobOutcome.NotConverged late -> checked.tolerance().relative(late.residual());
            case JobOutcome.Failed failed -> progress.lastResidual();
        };
    }

    private Summary summary(JobOutcome outcome) {
        Map<String, String> outputs = new LinkedHashMap<>();
        published.ifPresent(location -> outputs.put("published", location));
        put(outputs, "result", output.result());
        put(outputs, "picture", output.picture());
        put(outputs, "residuals", output.residuals());
        put(outputs, "events", output.events());
        put(outputs, "provenance", output.provenance());
        put(outputs, "logs", settings.output().resolve("logs"));
        return new Summary(
                checked.name(),
                phase(outcome),
                reason(outcome),
                residual(outcome),
                checked.tolerance().relative(),
                checked.model().unknowns().size(),
                checked.method(),
                progress.iterations(),
                progress.updates(),
                progress.computing(),
                progress.elapsed(),
                progress.snapshots(),
                progress.failures(),
                outputs,
                progress.steps());
    }

    private static void put(Map<String, String> outputs, String kind, Path path) {
        if (Files.exists(path)) {
            outputs.put(kind, path.toString());
        }
    }

    private Optional<String> reason(JobOutcome outcome) {
        return switch (outcome) {
            case JobOutcome.Certified certified -> Optional.empty();
            case JobOutcome.NotConverged late ->
                Optional.of("spec.activeDeadlineSeconds expired before the residual reached the tolerance"
                        + (progress.steps().hasTimeSteps()
                                ? " in " + progress.steps().open()
                                : "") + "; raise one of the two" + reached(late));
            case JobOutcome.Failed failed -> Optional.of(failed.reason());
        };
    }

    private String reached(JobOutcome.NotConverged late) {
        if (!late.hasResult()) {
            return "; no snapshot could be completed, so there is no result";
        }
        return progress.steps().hasTimeSteps()
                ? ", or use the uncertified result"
                : ", or use the result, which is the best answer that was reached: snapshot " + late.sid()
                        + ", after about " + Units.grouped(late.iterations()) + " iterations of a block";
    }

    private Provenance provenance(JobOutcome outcome, Map<String, Duration> timings) {
        List<Provenance.Worker> workers = new ArrayList<>();
        Map<String, DaemonReport> reports = progress.reports();
        for (Member worker : progress.workers()) {
            List<BlockProgress> blocks = Optional.ofNullable(reports.get(worker.name()))
                    .map(DaemonReport::blocks)
                    .orElse(List.of());
            workers.add(new Provenance.Worker(
                    worker.name(),
                    worker.role() == WorkerRole.DAEMON ? "daemon" : "spawner",
                    host(),
                    pids.getOrDefault(worker.name(), 0L),
                    blocks.stream().map(BlockProgress::block).toList(),
                    blocks.stream().mapToLong(BlockProgress::iteration).sum()));
        }
        return new Provenance(
                checked.manifest().text(),
                phase(outcome).label(),
                settings.seed(),
                host(),
                started,
                timings,
                workers,
                recorder.links(),
                outcome instanceof JobOutcome.Certified certified
                        ? Optional.of(new ResultAttributes(
                                checked.name(),
                                checked.problem().name(),
                                true,
                                residual(certified),
                                certified.residual(),
                                checked.tolerance().relative(),
                                certified.sid(),
                                progress.steps().of(),
                                progress.steps().of(),
                                checked.model().residualNorm().name().toLowerCase(Locale.ROOT),
                                0))
                        : Optional.empty());
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "localhost";
        }
    }
}
