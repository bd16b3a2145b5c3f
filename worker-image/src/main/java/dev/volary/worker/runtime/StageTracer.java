// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import com.sun.management.OperatingSystemMXBean;
import dev.volary.mesh.Mesh;
import dev.volary.mesh.control.ControlTelemetry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * When a worker does what, for benchmarks that set {@code VOLARY_TRACE}: a line {@code mark NANOS WHAT ...} each in its log, on
 * the clock that all processes of a host share.
 */
public final class StageTracer {
    private static final boolean ON = System.getenv("VOLARY_TRACE") != null;

    private StageTracer() {}

    /** Whether tracing is on. */
    public static boolean isOn() {
        return ON;
    }

    /** Writes a mark for something that has just happened. */
    public static void mark(String what, Object... about) {
        if (ON) {
            long now = System.nanoTime();
            System.err.println("mark " + now + " " + what
                    + Arrays.stream(about).map(each -> " " + each).collect(Collectors.joining()));
        }
    }

    /** Writes each second how many control messages were sent and how much processor time the control loop has used. */
    public static void control(Mesh mesh) {
        if (ON) {
            Thread.ofPlatform().daemon().name("trace").start(() -> {
                try {
                    while (true) {
                        Thread.sleep(Duration.ofSeconds(1));
                        ControlTelemetry sent = mesh.controlTelemetry();
                        mark("control", sent.messages(), sent.failureDetection(), controlNanos(), cpuNanos());
                    }
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    /** Processor time of this process. */
    public static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static long controlNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return LongStream.of(threads.getAllThreadIds())
                .filter(id -> {
                    ThreadInfo thread = threads.getThreadInfo(id);
                    return thread != null && thread.getThreadName().startsWith("mesh-control");
                })
                .map(id -> Math.max(0, threads.getThreadCpuTime(id)))
                .sum();
    }
}
