// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.description;

/**
 * Which job it is.
 *
 * @param name of the job
 * @param namespace where it is; {@code local} for a run on one machine
 * @param uid of this very job, never used again
 */
public record JobIdentity(String name, String namespace, String uid) {}
