// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.util.concurrent.TimeUnit;

/**
 * Limits how long a Kubernetes client waits for the answer to the first request of a watch. The client (Fabric8 7.8) starts it
 * before it knows the time-out, so an API server that does not answer would end the updates of a cache.
 */
final class WatchTimeout implements Interceptor {
    static final String NAME = "volary-watch-timeout";

    private final int millis;

    /** @param millis time to wait for the answer */
    WatchTimeout(int millis) {
        this.millis = millis;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        if (builder instanceof WebSocket.Builder watch) {
            watch.connectTimeout(millis, TimeUnit.MILLISECONDS);
        }
    }
}
