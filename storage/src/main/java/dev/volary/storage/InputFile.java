// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

/**
 * A file of an input, as a manifest lists it.
 *
 * @param name path below the input, which is also its key
 * @param sha256 of its bytes, in lower case hexadecimal digits
 */
public record InputFile(String name, String sha256) {}
