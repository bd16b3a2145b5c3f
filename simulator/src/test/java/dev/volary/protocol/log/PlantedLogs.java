// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.log;

/** Wrong rules of the log, to see that the simulator's checker catches them. */
public final class PlantedLogs {
    private PlantedLogs() {}

    /** Members take writes of older terms, whatever they have promised. */
    public static LogRules withoutPromise() {
        return new LogRules() {
            @Override
            public boolean takes(long writing, long promised) {
                return true;
            }
        };
    }

    /** A record counts as soon as one member has it. */
    public static LogRules firstMemberIsEnough() {
        return new LogRules() {
            @Override
            public boolean counts(int written, int members) {
                return written > 0;
            }
        };
    }
}
