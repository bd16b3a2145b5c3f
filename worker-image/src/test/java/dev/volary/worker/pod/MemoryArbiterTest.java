// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.arbiter.Arbiter;
import dev.volary.mesh.arbiter.MemoryArbiter;

/** The arbiter of local jobs. */
class MemoryArbiterTest extends ArbiterContract {
    private final Arbiter arbiter = new MemoryArbiter();

    @Override
    Arbiter client() {
        return arbiter;
    }
}
