// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.transport.NettySettings;
import io.grpc.netty.shaded.io.netty.bootstrap.ServerBootstrap;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelFutureListener;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInitializer;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.SimpleChannelInboundHandler;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.SocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.FullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderValues;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequest;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseStatus;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpServerCodec;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Answers {@code /healthz}, {@code /readyz} and {@code /metrics} over plain HTTP, for the kubelet and Prometheus.
 *
 * <p>No client can delay the answers to others: one thread serves all connections and waits for none of them. A connection carries
 * one request and is closed after {@link #PATIENCE}, however slowly its client writes or reads. At most {@link #CONNECTIONS} are
 * open; one more closes the oldest.
 */
public final class PodHttp implements AutoCloseable {
    /** After this time a connection is closed; the kubelet waits 2 s, Prometheus 10 s. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Open connections. Each may hold 12 KiB of a request or one page of metrics. */
    static final int CONNECTIONS = 128;

    private static final String TEXT = "text/plain; charset=utf-8";
    private static final int BACKLOG = 1024;
    private static final Duration STOP = Duration.ofSeconds(2);

    private final PodMetrics metrics;
    private final Supplier<Optional<String>> unready;
    private final EventLoopGroup group;
    private final Channel listener;

    /** The oldest first; touched by the only thread of the group. */
    private final Deque<Channel> open = new ArrayDeque<>();

    /**
     * Listens.
     *
     * @param address to listen on; port 0 takes any free one
     * @param unready why this worker is not ready, if it is not; called for each request and must not block
     * @throws IOException if the port is taken
     */
    public PodHttp(InetSocketAddress address, PodMetrics metrics, Supplier<Optional<String>> unready)
            throws IOException {
        NettySettings.apply();
        this.metrics = metrics;
        this.unready = unready;
        ThreadFactory thread = Thread.ofPlatform().daemon().name("http").factory();
        group = new MultiThreadIoEventLoopGroup(1, thread, NioIoHandler.newFactory());
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new HttpServerCodec(), new Connection());
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close();
            throw new IOException(
                    "cannot listen on " + address + ": " + bound.cause().getMessage() + "; free the port",
                    bound.cause());
        }
        listener = bound.channel();
    }

    /** Where it listens. */
    InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** Answers the first request of a connection and closes it. */
    private final class Connection extends SimpleChannelInboundHandler<HttpRequest> {
        private boolean isAnswered;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            if (open.size() >= CONNECTIONS) {
                var _ = open.removeFirst().close();
            }
            open.addLast(context.channel());
            Runnable ends = () -> {
                var _ = context.close();
            };
            var _ = context.executor().schedule(ends, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            open.remove(context.channel());
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpRequest request) throws IOException {
            // More requests may come together with the first one, and half of one is decoded when its connection ends.
            if (isAnswered || !context.channel().isActive()) {
                return;
            }
            isAnswered = true;
            context.channel().config().setAutoRead(false);
            FullHttpResponse response = request.decoderResult().isSuccess()
                    ? answer(request.uri())
                    : response(HttpResponseStatus.BAD_REQUEST, TEXT, bytes("this is no HTTP request\n"));
            var _ = context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // A client that breaks its connection is everyday; a metric that fails must not stop the probes.
            if (!(cause instanceof IOException)) {
                System.err.println("an HTTP request could not be answered: " + cause);
            }
            var _ = context.close();
        }
    }

    private FullHttpResponse answer(String uri) throws IOException {
        int query = uri.indexOf('?');
        return switch (query < 0 ? uri : uri.substring(0, query)) {
            case "/healthz" -> response(HttpResponseStatus.OK, TEXT, bytes("ok\n"));
            case "/readyz" -> {
                Optional<String> reason = unready.get();
                yield response(
                        reason.isEmpty() ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE,
                        TEXT,
                        bytes(reason.orElse("ok") + "\n"));
            }
            case "/metrics" -> {
                ByteArrayOutputStream page = new ByteArrayOutputStream();
                metrics.write(page);
                yield response(HttpResponseStatus.OK, PodMetrics.TYPE, page.toByteArray());
            }
            default ->
                response(HttpResponseStatus.NOT_FOUND, TEXT, bytes("there are /healthz, /readyz and /metrics\n"));
        };
    }

    private static FullHttpResponse response(HttpResponseStatus status, String type, byte[] body) {
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, type)
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        return response;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        var _ = group.shutdownGracefully(0, STOP.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly();
    }
}
