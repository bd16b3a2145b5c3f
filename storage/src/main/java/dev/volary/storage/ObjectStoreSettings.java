// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where an object store is and how it is accessed.
 *
 * @param endpoint of a store that speaks the S3 API; empty for that of AWS
 * @param region that requests are signed for; empty for the default
 * @param bucket which exists
 * @param prefix before all keys; empty, or ends with {@code /}
 * @param credentials folder of files {@code accessKeyId}, {@code secretAccessKey} and, if needed, {@code sessionToken} and {@code
 *     ca.crt} (certificates in PEM that replace the JDK's); empty for the standard environment variables and files of AWS
 */
public record ObjectStoreSettings(
        Optional<URI> endpoint, Optional<String> region, String bucket, String prefix, Optional<Path> credentials) {

    public ObjectStoreSettings {
        prefix = prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/";
    }

    /** As manifests and job descriptions write them: a value that is null or empty is left out. */
    public static ObjectStoreSettings of(
            @Nullable String endpoint,
            @Nullable String region,
            String bucket,
            @Nullable String prefix,
            @Nullable String credentials) {
        return new ObjectStoreSettings(
                given(endpoint).map(URI::create),
                given(region),
                bucket,
                given(prefix).orElse(""),
                given(credentials).map(Path::of));
    }

    private static Optional<String> given(@Nullable String value) {
        return Optional.ofNullable(value).filter(text -> !text.isEmpty());
    }
}
