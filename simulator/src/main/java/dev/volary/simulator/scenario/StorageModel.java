// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

/** The storage outside of the workers that a job brings its result to. */
public enum StorageModel {
    /** The job names none. */
    NONE,
    /** It takes every result. */
    RELIABLE,
    /** It fails a few times, and then takes the result. */
    UNRELIABLE,
    /** It takes nothing for three seconds, from the first attempt on. */
    OUTAGE,
    /** It takes nothing. */
    UNAVAILABLE
}
