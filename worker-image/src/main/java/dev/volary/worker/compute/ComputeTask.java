// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

/** Something a compute thread runs in turn with others. */
interface ComputeTask {

    /** What a turn did. */
    enum Turn {
        /** It computed. */
        WORKED,
        /** There was nothing worth computing; it wants another turn when something arrives. */
        IDLE,
        /** It will never want another turn. */
        DONE
    }

    /** Takes one turn. */
    Turn turn();
}
