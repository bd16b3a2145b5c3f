// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.storage;

import dev.volary.storage.ObjectStoreSettings;

/** Object stores as a job description has them. */
public final class DescribedStores {
    private DescribedStores() {}

    /** The settings of a store. */
    public static ObjectStoreSettings settings(dev.volary.mesh.v1.ObjectStore described) {
        return ObjectStoreSettings.of(
                described.getEndpoint(),
                described.getRegion(),
                described.getBucket(),
                described.getPrefix(),
                described.getCredentialsFolder());
    }
}
