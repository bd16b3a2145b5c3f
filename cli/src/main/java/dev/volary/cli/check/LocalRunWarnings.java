// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import dev.volary.job.manifest.Manifest;
import dev.volary.job.spec.GroupBound;
import dev.volary.job.spec.JobSpec;
import dev.volary.job.spec.ResultSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Warns about fields of a manifest that a local run ignores or changes. */
final class LocalRunWarnings {
    /** Fields without effect on one machine, in the order of the spec. */
    private static final List<String> ONLY_ON_CLUSTERS = List.of(
            "spec.daemons.min",
            "spec.daemons.max",
            "spec.daemons.template",
            "spec.workerGroups",
            "spec.spawners.template",
            "spec.checkpoint.volume",
            "spec.checkpoint.objectStore.secretName",
            "spec.restoreFrom.persistentVolumeClaim",
            "spec.restoreFrom.objectStore.secretName",
            "spec.failurePolicy.maxRetries",
            "spec.result.destination",
            "spec.result.objectStore.secretName",
            "spec.preRunningDeadlineSeconds",
            "spec.ttlSecondsAfterFinished",
            "spec.podRetention",
            "spec.managedBy",
            "spec.chaos.allowed");

    private static final String CREDENTIALS = " (set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)";

    /** Remedy for an ignored field. */
    private static final Map<String, String> INSTEAD = Map.of(
            "spec.checkpoint.volume", " (run with --checkpoint FOLDER)",
            "spec.checkpoint.objectStore.secretName", CREDENTIALS,
            "spec.restoreFrom.objectStore.secretName", CREDENTIALS,
            "spec.restoreFrom.persistentVolumeClaim", " (run with --restore-from FOLDER)",
            "spec.result.destination", " (the result stays in the output folder)",
            "spec.result.objectStore.secretName", CREDENTIALS,
            "spec.chaos.allowed", " (inject faults with --kill)");

    private LocalRunWarnings() {}

    static List<String> of(Manifest manifest) {
        JobSpec spec = manifest.spec();
        List<String> notices = new ArrayList<>();
        int daemons = spec.daemons().replicas();
        if (spec.blockCount() < daemons) {
            notices.add("spec.blocks is " + spec.blockCount() + ", so " + (daemons - spec.blockCount()) + " of "
                    + daemons + " daemons have nothing to compute");
        }
        // each spawner manages an equal number of daemons, and holds backups too
        int possible = Math.min(spec.checkpoint().copies(), Math.max(1, daemons / spec.spawnerCount()));
        if (manifest.gives("spec.checkpoint") && possible < spec.checkpoint().copies()) {
            notices.add("spec.checkpoint.copies is " + spec.checkpoint().copies() + ", which requires "
                    + spec.checkpoint().copies() + " daemons per spawner; each block has " + possible);
        }
        if (moreSpawnersForMax(spec)) {
            notices.add("spec.daemons.max is " + spec.daemons().max() + ", so " + spec.spawnerCount()
                    + " spawners start; a local run never starts more than spec.daemons.replicas and standbys, for which"
                    + " spec.spawners.replicas: " + usualSpawners(spec) + " is enough");
        }
        List<String> ignored = ignored(manifest);
        if (!ignored.isEmpty()) {
            notices.add("a local run ignores " + String.join(", ", ignored));
        }
        return notices;
    }

    /** Whether the number of spawners follows from the daemons that a cluster may scale the job up to. */
    private static boolean moreSpawnersForMax(JobSpec spec) {
        return spec.spawners().replicas() == null && spec.spawnerCount() > usualSpawners(spec);
    }

    private static int usualSpawners(JobSpec spec) {
        return GroupBound.usual(spec.daemons().replicas() + spec.daemons().standbys());
    }

    private static List<String> ignored(Manifest manifest) {
        List<String> ignored = new ArrayList<>();
        ResultSpec.Destination destination = manifest.spec().result().destination();
        boolean isLocal =
                destination == ResultSpec.Destination.Local || destination == ResultSpec.Destination.ObjectStore;
        for (String field : ONLY_ON_CLUSTERS) {
            boolean hasEffect =
                    switch (field) {
                        case "spec.result.destination" -> isLocal;
                        case "spec.daemons.max" -> moreSpawnersForMax(manifest.spec());
                        default -> false;
                    };
            if (manifest.gives(field) && !hasEffect) {
                ignored.add(field + INSTEAD.getOrDefault(field, ""));
            }
        }
        for (int i = 0; i < manifest.spec().inputs().size(); i++) {
            String secret = "spec.inputs[" + i + "].objectStore.secretName";
            if (manifest.gives(secret)) {
                ignored.add(secret + CREDENTIALS);
            }
        }
        return ignored;
    }
}
