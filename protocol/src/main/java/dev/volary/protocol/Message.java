// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol;

import java.util.Optional;

/**
 * Control messages between workers: reliable, in order on each link, and idempotent. Halo values do not travel here; they
 * have slots of their own on the bulk connection.
 */
public sealed interface Message permits ToDaemon, ToSpawner {

    // ---- the end ---------------------------------------------------------------------------------------------------

    /** Stop computing; the job is over. */
    record Stop(Optional<String> reason) implements ToDaemon, ToSpawner {}
}
