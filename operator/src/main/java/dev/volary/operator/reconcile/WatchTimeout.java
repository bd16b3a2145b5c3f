// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.util.concurrent.TimeUnit;

/**
 * Limits how long a Kubernetes client waits for the answer to the request of a watch, so that an API server that does not answer
 * cannot end the updates of a cache. The client (Fabric8 7.8) starts its first request before it knows the time-out; if that one, a
 * WebSocket, is not answered, it falls back to plain HTTP, for which it has none.
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
        } else if (builder instanceof HttpRequest.Builder http && isWatch(request)) {
            http.timeout(millis, TimeUnit.MILLISECONDS); // to the head of the answer; events may come whenever they do
        }
    }

    private static boolean isWatch(HttpRequest request) {
        String query = request.uri().getQuery();
        return query != null && query.contains("watch=true");
    }
}
