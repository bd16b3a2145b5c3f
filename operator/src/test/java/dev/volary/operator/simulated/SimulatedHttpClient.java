// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.simulated;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** The transport of a real Fabric8 client whose requests a function answers at once, in the thread that sends them. */
public final class SimulatedHttpClient
        extends StandardHttpClient<SimulatedHttpClient, SimulatedHttpClient.Factory, SimulatedHttpClient.Builder> {
    /** Shared, because the first use of each type is slow. */
    public static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private final Factory factory;

    /** Answers requests. */
    @FunctionalInterface
    public interface Transport {
        /** @throws IOException if there is no answer, whether or not the request was executed */
        ApiAnswer send(ApiRequest request) throws IOException;
    }

    private SimulatedHttpClient(Builder builder, AtomicBoolean closed, Factory factory) {
        super(builder, closed);
        this.factory = factory;
    }

    /** A client that does not repeat requests itself, without time-outs. */
    public static KubernetesClient connect(Transport transport) {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://simulated")
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(0)
                .withNamespace("lab")
                .build();
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(SERIALIZATION)
                .withHttpClientFactory(new Factory(transport))
                .withTaskExecutor(Runnable::run)
                .build();
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
            StandardWebSocketBuilder builder, WebSocket.Listener listener) {
        throw new UnsupportedOperationException("caches are filled without this client");
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
            StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        try {
            ApiAnswer answer = factory.transport.send(ApiRequest.of(
                    request.method(),
                    request.uri().getPath(),
                    Objects.requireNonNullElse(request.getContentType(), ""),
                    Objects.requireNonNullElse(request.bodyString(), "")));
            return CompletableFuture.completedFuture(new Response(request, answer, consumer));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    protected void doClose() {
        // no connection is open
    }

    /** Makes clients with the same transport. */
    static final class Factory implements HttpClient.Factory {
        private final Transport transport;

        Factory(Transport transport) {
            this.transport = transport;
        }

        @Override
        public Builder newBuilder() {
            return new Builder(this);
        }
    }

    /** Builds a client. */
    static final class Builder extends StandardHttpClientBuilder<SimulatedHttpClient, Factory, Builder> {
        Builder(Factory factory) {
            super(factory);
        }

        @Override
        public SimulatedHttpClient build() {
            return new SimulatedHttpClient(this, new AtomicBoolean(), clientFactory);
        }

        @Override
        protected Builder newInstance(Factory factory) {
            return new Builder(factory);
        }
    }

    private static final class Response extends StandardHttpHeaders implements HttpResponse<AsyncBody>, AsyncBody {
        private final HttpRequest request;
        private final ApiAnswer answer;
        private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private boolean isConsumed;

        Response(HttpRequest request, ApiAnswer answer, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
            this.request = request;
            this.answer = answer;
            this.consumer = consumer;
        }

        @Override
        public int code() {
            return answer.code();
        }

        @Override
        public AsyncBody body() {
            return this;
        }

        @Override
        public HttpRequest request() {
            return request;
        }

        @Override
        public Optional<HttpResponse<?>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public void consume() {
            if (isConsumed) {
                return; // the consumer asks for more
            }
            isConsumed = true;
            try {
                byte[] bytes = answer.body().toString().getBytes(StandardCharsets.UTF_8);
                consumer.consume(List.of(ByteBuffer.wrap(bytes)), this);
                done.complete(null);
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        }

        @Override
        public CompletableFuture<Void> done() {
            return done;
        }

        @Override
        public void cancel() {
            done.cancel(false);
        }
    }
}
