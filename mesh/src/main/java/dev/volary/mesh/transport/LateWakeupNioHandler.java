// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import io.grpc.netty.shaded.io.netty.channel.IoHandle;
import io.grpc.netty.shaded.io.netty.channel.IoHandler;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.IoRegistration;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;

/**
 * Sockets by NIO, which waits in whole milliseconds. Netty rounds the time to its next task, so half of the time it would
 * wake too soon and then spin until the task is due, for up to half a millisecond; here it wakes a little late instead.
 */
final class LateWakeupNioHandler implements IoHandler {
    /** With Netty's rounding to the nearest millisecond, this makes it the next one. */
    private static final long ROUNDED_UP = 499_999;

    private final IoHandler nio;

    LateWakeupNioHandler(IoHandler nio) {
        this.nio = nio;
    }

    static IoHandlerFactory newFactory() {
        IoHandlerFactory nio = NioIoHandler.newFactory();
        return executor -> new LateWakeupNioHandler(nio.newHandler(executor));
    }

    @Override
    public int run(IoHandlerContext context) {
        return nio.run(new LateContext(context));
    }

    @Override
    public void initialize() {
        nio.initialize();
    }

    @Override
    public void prepareToDestroy() {
        nio.prepareToDestroy();
    }

    @Override
    public void destroy() {
        nio.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return nio.register(handle);
    }

    @Override
    public void wakeup() {
        nio.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
        return nio.isCompatible(type);
    }

    private record LateContext(IoHandlerContext loop) implements IoHandlerContext {
        @Override
        public boolean canBlock() {
            return loop.canBlock();
        }

        @Override
        public long delayNanos(long now) {
            long delay = loop.delayNanos(now);
            return delay <= 0 || delay > Long.MAX_VALUE - ROUNDED_UP ? delay : delay + ROUNDED_UP;
        }

        @Override
        public long deadlineNanos() {
            return loop.deadlineNanos();
        }

        @Override
        public void reportActiveIoTime(long nanos) {
            loop.reportActiveIoTime(nanos);
        }

        @Override
        public boolean shouldReportActiveIoTime() {
            return loop.shouldReportActiveIoTime();
        }
    }
}
