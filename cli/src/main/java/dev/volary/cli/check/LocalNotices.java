package dev.volary.cli.check;

import dev.volary.crd.FailurePolicySpec;
import dev.volary.crd.JobSpec;
import java.util.ArrayList;
import java.util.List;

/** What a local run of this version makes of a manifest that says more than it uses. */
final class LocalNotices {
    private LocalNotices() {}

    static List<String> of(JobSpec spec) {
        List<String> notices = new ArrayList<>();
        int daemons = spec.daemons().replicas();
        if (spec.blockCount() < daemons) {
            notices.add("spec.blocks is " + spec.blockCount() + ", so " + (daemons - spec.blockCount()) + " of "
                    + daemons + " daemons have nothing to compute");
        }
        // Daemons are shared out evenly, and the spawner of a group keeps copies too.
        int inForce = Math.min(spec.copies(), Math.max(1, daemons / spec.spawnerCount()));
        if (spec.checkpoint().isPresent() && inForce < spec.copies()) {
            notices.add("spec.checkpoint.copies is " + spec.copies() + ", which needs " + spec.copies()
                    + " daemons beside each spawner; " + inForce + " is in force");
        }
        List<String> ignored = ignored(spec);
        if (!ignored.isEmpty()) {
            notices.add("a local run of this version does not use " + String.join(", ", ignored));
        }
        return notices;
    }

    private static List<String> ignored(JobSpec spec) {
        List<String> ignored = new ArrayList<>();
        add(ignored, "spec.daemons.min", spec.daemons().min().isPresent());
        add(ignored, "spec.daemons.max", spec.daemons().max().isPresent());
        add(ignored, "spec.daemons.template", !spec.daemons().template().isEmpty());
        add(ignored, "spec.workerGroups", !spec.workerGroups().isEmpty());
        add(ignored, "spec.spawners.template", !spec.spawners().template().isEmpty());
        add(
                ignored,
                "spec.checkpoint.volume (run with --checkpoint FOLDER)",
                spec.checkpoint().filter(c -> !c.volume().isEmpty()).isPresent());
        add(
                ignored,
                "spec.restoreFrom (run with --restore-from FOLDER)",
                !spec.restoreFrom().isEmpty());
        add(
                ignored,
                "spec.failurePolicy.maxRetries",
                spec.failurePolicy()
                        .filter(given -> given.maxRetries() != FailurePolicySpec.STANDARD.maxRetries())
                        .isPresent());
        add(
                ignored,
                "spec.result.destination " + spec.result().destination() + " (the result stays in the output folder)",
                spec.result().destination() != JobSpec.ResultSpec.Destination.Local);
        add(
                ignored,
                "spec.preRunningDeadlineSeconds",
                spec.preRunningDeadlineSeconds().isPresent());
        add(
                ignored,
                "spec.ttlSecondsAfterFinished",
                spec.ttlSecondsAfterFinished().isPresent());
        add(ignored, "spec.podRetention", spec.podRetention() != JobSpec.PodRetention.Failed);
        add(ignored, "spec.managedBy", spec.managedBy().isPresent());
        return ignored;
    }

    private static void add(List<String> ignored, String field, boolean isGiven) {
        if (isGiven) {
            ignored.add(field);
        }
    }
}
