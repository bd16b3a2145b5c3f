// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/** Makes threads give way. The JDK's own priorities have no effect on Linux unless the process belongs to root. */
final class LowPriority {
    private static final int NICE = 3; // half of a computing thread's share where both want a core

    private LowPriority() {}

    /** Lowers the priority of this thread and of those it starts from now on, where the system can: on Linux. */
    @SuppressWarnings("restricted") // native access is given on the command line
    static void lower() {
        if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux")) {
            return; // elsewhere it would be the whole process that gives way
        }
        try {
            Linker linker = Linker.nativeLinker();
            MethodHandle nice = linker.downcallHandle(
                    linker.defaultLookup().find("nice").orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            int ignored = (int) nice.invokeExact(NICE);
        } catch (Throwable notHere) {
            System.err.println("backups run at normal priority: " + notHere);
        }
    }
}
