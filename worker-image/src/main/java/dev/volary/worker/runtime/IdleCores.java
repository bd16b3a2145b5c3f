// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.BooleanSupplier;

/**
 * Whether work that is of use only later would take processor time from computing: on the cores that this process may use, in
 * its container if there is one.
 */
public final class IdleCores implements BooleanSupplier {
    private static final double ENOUGH = 0.5;

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** Begins the time that the first question is about. */
    public IdleCores() {
        var _ = system.getCpuLoad();
    }

    /** Whether half a core was idle on average since the last question. */
    @Override
    public boolean getAsBoolean() {
        double load = system.getCpuLoad();
        return load >= 0 && (1 - load) * system.getAvailableProcessors() >= ENOUGH;
    }
}
