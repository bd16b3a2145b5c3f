// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.validation;

/**
 * A rule that a job breaks.
 *
 * @param path of the field that the rule is about, as {@code spec.daemons.min}
 * @param message a sentence with the field, its value and the remedy
 */
public record SpecError(String path, String message) {}
