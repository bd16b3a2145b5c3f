// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.metrics;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;

/** Counts the requests of a Kubernetes client. */
public final class RequestCounter implements Interceptor {
    /** Name of this interceptor in the client. */
    public static final String NAME = "volary-metrics";

    private final OperatorMetrics metrics;

    public RequestCounter(OperatorMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        metrics.requested(request.method(), response.code());
    }

    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
        metrics.requested(request.method(), 0);
    }
}
