// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import dev.volary.job.spec.ObjectStoreSpec;
import dev.volary.storage.InputFile;
import dev.volary.storage.ObjectStoreSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Object stores as a local run uses them: with the credentials of the user, and a cache of inputs. */
public final class LocalStores {
    private static final int NAME_CHARACTERS = 16;

    private LocalStores() {}

    /** Settings without a Secret: the standard environment variables and files of AWS have the credentials. */
    public static ObjectStoreSettings settings(ObjectStoreSpec spec) {
        return ObjectStoreSettings.of(spec.endpoint(), spec.region(), spec.bucket(), spec.prefix(), null);
    }

    /**
     * The folder in the user's cache for an input with these files. Names and checksums determine it, so that runs share it and no run
     * sees files of another input.
     */
    static Path inputCache(List<InputFile> files) {
        return cache(System.getenv(), System.getProperty("user.home"))
                .resolve("volary")
                .resolve("inputs")
                .resolve(name(files));
    }

    /** As the XDG base directory specification says. */
    private static Path cache(Map<String, String> environment, String home) {
        String given = environment.getOrDefault("XDG_CACHE_HOME", "");
        return Path.of(given).isAbsolute() ? Path.of(given) : Path.of(home, ".cache");
    }

    private static String name(List<InputFile> files) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(files.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, NAME_CHARACTERS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
