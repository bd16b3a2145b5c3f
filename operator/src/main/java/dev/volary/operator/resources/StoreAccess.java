// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import dev.volary.job.spec.JobSpec;
import dev.volary.job.spec.ObjectStoreSpec;
import dev.volary.job.spec.RestoreSpec;
import dev.volary.operator.pod.PodRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object store that a worker's pod connects to, and where the pod finds its credentials. Results are spawners' alone.
 *
 * @param store of the manifest
 * @param use names the volume of the credentials and their folder
 */
record StoreAccess(ObjectStoreSpec store, String use) {
    private static final String CHECKPOINT = "checkpoint-store";
    private static final String RESTORE = "restore-store";
    private static final String RESULT = "result-store";

    /** The stores of one role. */
    static List<StoreAccess> of(JobSpec spec, PodRole role) {
        List<StoreAccess> stores = new ArrayList<>();
        for (int i = 0; i < spec.inputs().size(); i++) {
            ObjectStoreSpec input = spec.inputs().get(i).objectStore();
            if (input != null) {
                stores.add(new StoreAccess(input, input(i)));
            }
        }
        add(stores, spec.checkpoint().objectStore(), CHECKPOINT);
        RestoreSpec restore = spec.restoreFrom();
        add(stores, restore == null ? null : restore.objectStore(), RESTORE);
        if (role == PodRole.SPAWNER) {
            add(stores, spec.result().objectStore(), RESULT);
        }
        return stores;
    }

    private static void add(List<StoreAccess> stores, @Nullable ObjectStoreSpec store, String use) {
        if (store != null) {
            stores.add(new StoreAccess(store, use));
        }
    }

    private static String input(int index) {
        return "input-store-" + index;
    }

    /** Folder in the pods for the credentials of the store of an input; empty if the manifest names no Secret. */
    static String inputCredentials(JobSpec spec, int index) {
        return credentials(spec.inputs().get(index).objectStore(), input(index));
    }

    /** As {@link #inputCredentials}, for checkpoints. */
    static String checkpointCredentials(JobSpec spec) {
        return credentials(spec.checkpoint().objectStore(), CHECKPOINT);
    }

    /** As {@link #inputCredentials}, for the checkpoints to restore from. */
    static String restoreCredentials(JobSpec spec) {
        RestoreSpec restore = spec.restoreFrom();
        return credentials(restore == null ? null : restore.objectStore(), RESTORE);
    }

    /** As {@link #inputCredentials}, for results. */
    static String resultCredentials(JobSpec spec) {
        return credentials(spec.result().objectStore(), RESULT);
    }

    private static String credentials(@Nullable ObjectStoreSpec store, String use) {
        return store == null || store.secretName() == null ? "" : new StoreAccess(store, use).folder();
    }

    /** The Secret with the credentials, if the manifest names one. */
    Optional<String> secret() {
        return Optional.ofNullable(store.secretName());
    }

    /** Name of the volume with the credentials. */
    String volume() {
        return "volary-" + use;
    }

    /** Where the credentials are mounted. */
    String folder() {
        return "/etc/volary/" + use;
    }
}
