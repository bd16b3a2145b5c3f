// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.netty.shaded.io.netty.channel.IoHandle;
import io.grpc.netty.shaded.io.netty.channel.IoHandler;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.IoRegistration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LateWakeupNioHandlerTest {
    /** As Netty rounds what it waits for. */
    private static long millis(long nanos) {
        return (nanos + 500_000) / 1_000_000;
    }

    private static long delayed(long nanos) {
        Waiting nio = new Waiting();
        int ignored = new LateWakeupNioHandler(nio).run(new Due(nanos));
        return nio.delay;
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "300000, 1", "700000, 1", "1000000, 1", "1000001, 2", "20400000, 21"})
    void theHandlerDoesNotWakeBeforeATaskIsDue(long nanos, long millis) {
        assertEquals(millis, millis(delayed(nanos)));
    }

    @Test
    void theHandlerDoesNotWaitForATaskThatIsDue() {
        assertEquals(0, delayed(0));
    }

    @Test
    void withoutATaskTheHandlerWaitsForSocketsOnly() {
        assertEquals(Long.MAX_VALUE, delayed(Long.MAX_VALUE));
    }

    private record Due(long delay) implements IoHandlerContext {
        @Override
        public boolean canBlock() {
            return true;
        }

        @Override
        public long delayNanos(long now) {
            return delay;
        }

        @Override
        public long deadlineNanos() {
            return delay;
        }
    }

    private static final class Waiting implements IoHandler {
        private long delay = -1;

        @Override
        public int run(IoHandlerContext context) {
            delay = context.delayNanos(0);
            return 0;
        }

        @Override
        public IoRegistration register(IoHandle handle) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void wakeup() {}

        @Override
        public boolean isCompatible(Class<? extends IoHandle> type) {
            return false;
        }
    }
}
