// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

/** Something that a compute thread runs again and again, in turn with others. */
interface ComputeTask {

    /** What one run did. */
    enum Activity {
        /** It computed. */
        WORKED,
        /** There was nothing worth computing; it must run again when something arrives. */
        IDLE,
        /** It will never run again. */
        DONE
    }

    /** Runs once: at most one iteration. */
    Activity runOnce();
}
