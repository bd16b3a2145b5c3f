// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.testkit.LocalApiServer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts an API server for a test class. */
final class ApiServerExtension implements BeforeAllCallback, AfterAllCallback {
    private @Nullable LocalApiServer api;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        api = LocalApiServer.start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (api != null) {
            api.close();
        }
    }

    LocalApiServer api() {
        return Objects.requireNonNull(api, "register the extension in a static field");
    }
}
