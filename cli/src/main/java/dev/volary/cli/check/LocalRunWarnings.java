// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import dev.volary.job.manifest.Manifest;
import dev.volary.job.spec.JobSpec;
import dev.volary.job.spec.ResultSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a local run of this version makes of a manifest that says more than it uses. */
final class LocalRunWarnings {
    /** Fields without an effect on one machine, in the order of the spec. */
    private static final List<String> ONLY_ON_CLUSTERS = List.of(
            "spec.daemons.min",
            "spec.daemons.max",
            "spec.daemons.template",
            "spec.workerGroups",
            "spec.spawners.template",
            "spec.checkpoint.volume",
            "spec.restoreFrom",
            "spec.failurePolicy.maxRetries",
            "spec.result.destination",
            "spec.preRunningDeadlineSeconds",
            "spec.ttlSecondsAfterFinished",
            "spec.podRetention",
            "spec.managedBy");

    /** What a local run does instead. */
    private static final Map<String, String> INSTEAD = Map.of(
            "spec.checkpoint.volume", " (run with --checkpoint FOLDER)",
            "spec.restoreFrom", " (run with --restore-from FOLDER)",
            "spec.result.destination", " (the result stays in the output folder)");

    private LocalRunWarnings() {}

    static List<String> of(Manifest manifest) {
        JobSpec spec = manifest.spec();
        List<String> notices = new ArrayList<>();
        int daemons = spec.daemons().replicas();
        if (spec.blockCount() < daemons) {
            notices.add("spec.blocks is " + spec.blockCount() + ", so " + (daemons - spec.blockCount()) + " of "
                    + daemons + " daemons have nothing to compute");
        }
        // Daemons are shared out evenly, and the spawner of a group keeps copies too.
        int inForce = Math.min(spec.checkpoint().copies(), Math.max(1, daemons / spec.spawnerCount()));
        if (manifest.gives("spec.checkpoint") && inForce < spec.checkpoint().copies()) {
            notices.add("spec.checkpoint.copies is " + spec.checkpoint().copies() + ", which needs "
                    + spec.checkpoint().copies() + " daemons beside each spawner; " + inForce + " is in force");
        }
        List<String> ignored = ignored(manifest);
        if (!ignored.isEmpty()) {
            notices.add("a local run of this version does not use " + String.join(", ", ignored));
        }
        return notices;
    }

    private static List<String> ignored(Manifest manifest) {
        List<String> ignored = new ArrayList<>();
        boolean staysHere = manifest.spec().result().destination() == ResultSpec.Destination.Local;
        for (String field : ONLY_ON_CLUSTERS) {
            boolean isMet = field.equals("spec.result.destination") && staysHere;
            if (manifest.gives(field) && !isMet) {
                ignored.add(field + INSTEAD.getOrDefault(field, ""));
            }
        }
        return ignored;
    }
}
