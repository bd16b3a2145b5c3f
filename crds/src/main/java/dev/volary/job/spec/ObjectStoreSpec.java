// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** A bucket of an object store that speaks the S3 API. */
public record ObjectStoreSpec(
        @Size(max = 512) @JsonPropertyDescription("URL of the store, as https://minio.storage.svc:9000; that of AWS if left out.")
        @ValidationRule(
                value = "self" + SpecPatterns.MATCHES + SpecPatterns.ENDPOINT + SpecPatterns.WHOLE,
                messageExpression =
                        "'endpoint is \"%s\"; write it as https://host:port or http://host:port, without a path'.format([self])")
        @Nullable String endpoint,

        @Size(min = 1, max = 63) @JsonPropertyDescription("Region that requests are signed for; us-east-1 if left out.")
        @Nullable String region,

        @Required
        @Size(max = 255) @JsonPropertyDescription("Name of the bucket, which must exist.")
        @ValidationRule(
                value = "self" + SpecPatterns.MATCHES + SpecPatterns.BUCKET + SpecPatterns.WHOLE,
                messageExpression =
                        "'bucket is \"%s\"; the name of a bucket has 3 to 63 lower case letters, digits, dots and dashes'.format([self])")
        String bucket,

        @Size(max = 512) @JsonPropertyDescription("What the keys of all objects begin with, as team-a/results; nothing if left out.")
        @ValidationRule(
                value = "!self.startsWith('/')",
                messageExpression = "'prefix is \"%s\"; write it without a / before it'.format([self])")
        @Nullable String prefix,

        @Size(min = 1, max = 253) @JsonPropertyDescription(
                "Secret in the job's namespace with the keys accessKeyId, secretAccessKey and, if needed, sessionToken and"
                        + " ca.crt (certificates of the authority that signed the store's, in PEM). If it is left out, and in local runs"
                        + " always, the standard environment variables and files of AWS are used.")
        @Nullable String secretName) {

    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    /** The TCP port that the store is reached at. */
    public int tcpPort() {
        if (endpoint == null) {
            return HTTPS;
        }
        URI uri = URI.create(endpoint);
        return uri.getPort() >= 0 ? uri.getPort() : endpoint.startsWith("https:") ? HTTPS : HTTP;
    }
}
