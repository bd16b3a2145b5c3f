// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

/** What a worker process does. */
public enum WorkerRole {
    /** Computes blocks, or stands by for one. */
    DAEMON,
    /** Owns a group of daemons; one spawner is the leader. */
    SPAWNER
}
