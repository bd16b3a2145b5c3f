// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.model.WorkerId;
import dev.volary.simulator.engine.EventQueue;
import dev.volary.simulator.scenario.NetworkModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/** What the processes of one simulation share: time, chance, the network, and the checker. */
final class MembershipSimulation {
    /** Most members of a group, its owner included. */
    static final int GROUP = 32;

    final EventQueue queue = new EventQueue();
    final SplittableRandom random;
    final FailureDetectorConfig config;
    final NetworkModel faults;
    final MembershipChecker checker;
    final List<SimulatedProcess> processes = new ArrayList<>();
    final List<SimulatedGroup> groups = new ArrayList<>();
    private BiPredicate<SimulatedProcess, SimulatedProcess> cut = (from, to) -> false;

    MembershipSimulation(FailureDetectorConfig config, NetworkModel faults, MembershipChecker checker, long seed) {
        this.config = config;
        this.faults = faults;
        this.checker = checker;
        this.random = new SplittableRandom(seed);
    }

    /** Adds one group with this number of members, its owner first, spread over this number of zones. */
    SimulatedGroup group(int members, int zones) {
        List<SimulatedProcess> some = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            some.add(process(zones));
        }
        return group(some);
    }

    /** Groups of a bounded size, and the ring of their owners. */
    void groups(int count, int zones) {
        int number = Math.ceilDiv(count, GROUP);
        List<SimulatedProcess> spawners = new ArrayList<>();
        for (int g = 0; g < number; g++) {
            int from = (int) ((long) count * g / number);
            int to = (int) ((long) count * (g + 1) / number);
            spawners.add(group(to - from, zones).owner().process);
        }
        if (spawners.size() > 1) {
            group(spawners);
        }
    }

    private SimulatedGroup group(List<SimulatedProcess> members) {
        SimulatedGroup group = new SimulatedGroup(this, members);
        groups.add(group);
        group.spread();
        return group;
    }

    private SimulatedProcess process(int zones) {
        int number = processes.size();
        SimulatedProcess process =
                new SimulatedProcess(new WorkerId(number + 1), "zone-" + random.nextInt(zones), queue, random.split());
        processes.add(process);
        return process;
    }

    /** No message passes for which this holds, until it is replaced. */
    void cut(BiPredicate<SimulatedProcess, SimulatedProcess> newCut) {
        cut = newCut;
    }

    boolean isCut(SimulatedProcess from, SimulatedProcess to) {
        return cut.test(from, to);
    }

    void at(Duration time, Runnable what) {
        queue.after(time.toNanos() - queue.now(), what);
    }

    /** A process dies: with its host, or alone, so that its connections are reset. */
    void crash(SimulatedProcess process, boolean withHost) {
        process.end(withHost);
        checker.processCrashed(process, queue.now());
        if (!withHost) {
            process.memberships.forEach(member -> member.group.reset(member));
        }
    }

    /** Pauses of a process, of up to a longest one, at random times. */
    void pauses(SimulatedProcess process, Duration every, Duration longest) {
        pauses(process, every, () -> longest);
    }

    /** As above; how long the longest may be changes with time. */
    void pauses(SimulatedProcess process, Duration every, Supplier<Duration> longest) {
        long most = longest.get().toNanos();
        long wait = (long) (-Math.log(1 - random.nextDouble()) * every.toNanos());
        queue.after(most + wait, () -> {
            process.pause(random.nextLong(most) + 1);
            pauses(process, every, longest);
        });
    }

    void run(Duration until) {
        queue.after(until.toNanos() - queue.now(), () -> {});
        while (queue.now() < until.toNanos() && queue.step()) {
            if (queue.done() % 512 == 0) {
                memory();
            }
        }
    }

    private void memory() {
        SimulatedGroup group = groups.get(random.nextInt(groups.size()));
        SimulatedMember member =
                group.members().get(random.nextInt(group.members().size()));
        checker.memoryUsed(member, group.byId.size());
    }
}
