// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks the invariants of every simulation: each crash gets its verdict in time, at the owner or, on the owner, at some
 * member; no live process gets one without excuse; no member declares another one dead twice; memory is bounded.
 */
final class MembershipChecker {
    /** Entries for each member of the group. */
    private static final int ENTRIES = 16;

    private static final int ENTRIES_BESIDES = 128;
    private static final int MOST_VIOLATIONS = 5;

    private record Crash(long at, long lastSign) {}

    private record Pair(SimulatedMember by, SimulatedMember on) {}

    private final long within;
    private final boolean fromLastSign;
    private final Map<SimulatedProcess, Crash> crashes = new HashMap<>();
    private final Set<Pair> declared = new HashSet<>();
    private final Set<SimulatedMember> found = new HashSet<>();
    private final Set<SimulatedMember> falselyDeclared = new HashSet<>();
    private final List<Long> delays = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private long messages;
    private int suspicions;
    private int unfounded;
    private int batches;
    private long lastBatch = -1;

    /**
     * @param within how long a verdict may take
     * @param fromLastSign whether that time counts from the last message that any member received; else from the crash
     */
    MembershipChecker(Duration within, boolean fromLastSign) {
        this.within = within.toNanos();
        this.fromLastSign = fromLastSign;
    }

    void messageSent(SimulatedMember from, MembershipMessage.PeerMessage message) {
        messages++;
        if (message instanceof MembershipMessage.Suspicions report) {
            suspicions++;
            report.suspicions().forEach(suspicion -> suspected(from, suspicion.member()));
        } else if (message instanceof MembershipMessage.Probe probe) {
            suspected(from, probe.suspect());
        }
    }

    private void suspected(SimulatedMember by, WorkerId member) {
        SimulatedMember on = by.group.byId.get(member);
        if (on != null && on.process.alive() && !on.process.disturbed) {
            unfounded++;
        }
    }

    void processCrashed(SimulatedProcess process, long at) {
        crashes.put(process, new Crash(at, process.lastSign));
    }

    void memberDeclaredDead(SimulatedMember by, SimulatedMember on, FailureVerdict verdict) {
        long now = by.group.simulation.queue.now();
        if (by == on) {
            return;
        }
        if (!declared.add(new Pair(by, on))) {
            violated(by.process.id + " declares " + on.process.id + " twice");
        }
        if (now != lastBatch) {
            batches++;
            lastBatch = now;
        }
        if (verdict.cause() == FailureVerdict.Cause.LEFT && on.process.excused) {
            found.add(on);
            return;
        }
        Crash crash = crashes.get(on.process);
        if (crash == null) {
            falselyDeclared.add(on);
            if (!on.process.excused) {
                violated(by.process.id + " declares " + on.process.id + ", which lives, " + verdict.cause() + " at "
                        + now / 1e9 + " s after " + verdict.silentNanos() / 1e9 + " s of silence");
            }
        } else if (found.add(on)) {
            delays.add(now - crash.at());
            long since = fromLastSign ? crash.lastSign() : crash.at();
            if (now - since > within) {
                violated(on.process.id + " is declared " + (now - since) / 1e9 + " s after its "
                        + (fromLastSign ? "last message" : "crash") + ", more than " + within / 1e9 + " s");
            }
        }
    }

    void memoryUsed(SimulatedMember member, int members) {
        int bound = ENTRIES * members + ENTRIES_BESIDES;
        if (member.entries() > bound) {
            violated(member.process.id + " holds " + member.entries() + " entries in a group of " + members);
        }
    }

    /** The run is over; every crash must have been found in every group that survives it. */
    void close(MembershipSimulation simulation) {
        crashes.forEach((process, crash) -> {
            for (SimulatedMember member : process.memberships) {
                boolean isAnyLeft = member.group.byId.values().stream().anyMatch(other -> other.process.alive());
                if (isAnyLeft && !found.contains(member) && simulation.queue.now() - crash.at() > within) {
                    violated(process.id + " crashed at " + crash.at() / 1e9 + " s and was never declared");
                }
            }
        });
    }

    void violated(String what) {
        if (violations.size() < MOST_VIOLATIONS) {
            violations.add(what);
        }
    }

    List<String> violations() {
        return violations;
    }

    /** From each crash to its verdict, in nanoseconds, one for each group of the process. */
    List<Long> delays() {
        return delays;
    }

    /** Live processes that were declared, once for each group. */
    int mistakes() {
        return falselyDeclared.size();
    }

    long messages() {
        return messages;
    }

    int suspicions() {
        return suspicions;
    }

    /** Suspicions and probes of members that live and were never paused. */
    int unfounded() {
        return unfounded;
    }

    /** Times at which members were declared dead. */
    int batches() {
        return batches;
    }
}
