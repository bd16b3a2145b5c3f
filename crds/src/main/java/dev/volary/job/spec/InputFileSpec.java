// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** A file of an input in an object store. */
public record InputFileSpec(
        @Required
        @Size(min = 1, max = 256) @JsonPropertyDescription(
                "What the object's key has after the prefix, as A.mtx; parameters write it after the colon.")
        @ValidationRule(
                value = "!self.startsWith('/') && !self.split('/').exists(part, part == '..')",
                messageExpression =
                        "'name is \"%s\"; write a path below the prefix, without a / before it and without ..'.format([self])")
        String name,

        @Required
        @Size(max = 128) @JsonPropertyDescription("SHA-256 checksum of the file, as `sha256sum` prints it; another file is refused.")
        @ValidationRule(
                value = "self" + SpecPatterns.MATCHES + SpecPatterns.SHA_256 + SpecPatterns.WHOLE,
                messageExpression =
                        "'sha256 is \"%s\"; write 64 lower case hexadecimal digits, as sha256sum prints them'.format([self])")
        String sha256) {}
