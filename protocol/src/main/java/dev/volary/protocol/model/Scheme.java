// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

/** When a block takes its halos. */
public enum Scheme {
    /** The newest there are; no block waits. */
    ASYNCHRONOUS,
    /** All blocks in lock-step: iteration k reads exactly the halos of iteration k. */
    SYNCHRONOUS
}
