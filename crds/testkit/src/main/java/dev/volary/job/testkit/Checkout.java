// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.testkit;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout that a test runs in. */
final class Checkout {
    private static final String MARK = "e2e/testbed/testbed";

    private Checkout() {}

    /**
     * A file or folder, by its path from the root; tests run in the folders of their modules.
     *
     * @throws IllegalStateException if the test runs outside of a checkout
     */
    static Path file(String path) {
        Path here = Path.of("").toAbsolutePath();
        for (Path folder = here; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve(MARK))) {
                return folder.resolve(path);
            }
        }
        throw new IllegalStateException(here + " is in no checkout: there is no " + MARK + " above it");
    }
}
