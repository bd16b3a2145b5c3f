// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import dev.volary.protocol.membership.MemberList;
import dev.volary.protocol.membership.WatchedMember;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A group that watches itself, and what its owner's machine would do with verdicts: a new list without the dead. */
final class SimulatedGroup {
    /** What an owner takes to act on verdicts, or a group to get a new owner. */
    private static final long RECONFIGURATION = 20_000_000;

    final MembershipSimulation world;
    final Map<WorkerId, SimulatedMember> seats = new HashMap<>();
    private List<SimulatedMember> members = new ArrayList<>();
    private SimulatedMember owner;
    private long version;

    SimulatedGroup(MembershipSimulation world, List<SimulatedProcess> processes) {
        this.world = world;
        for (SimulatedProcess process : processes) {
            SimulatedMember seat = new SimulatedMember(
                    process, this, world.wiring.watch(process.id, world.config, world.random.nextLong()));
            process.seats.add(seat);
            seats.put(process.id, seat);
            members.add(seat);
        }
        this.owner = members.getFirst();
    }

    /** All learn who is in the group, each a little later. */
    void spread() {
        MemberList list = new MemberList(
                ++version,
                owner.process.id,
                members.stream()
                        .map(seat -> new WatchedMember(seat.process.id, seat.process.zone))
                        .toList());
        for (SimulatedMember seat : members) {
            world.agenda.after(world.random.nextLong(RECONFIGURATION / 2), () -> seat.members(list));
        }
    }

    SimulatedMember owner() {
        return owner;
    }

    List<SimulatedMember> members() {
        return members;
    }

    void send(SimulatedMember from, WorkerId to, MembershipMessage.PeerMessage message) {
        from.process.sent++;
        world.judge.sent(from, message);
        SimulatedMember target = seats.get(to);
        if (target == null || world.isCut(from.process, target.process)) {
            return;
        }
        if (target.process.refuses()) {
            world.agenda.after(world.faults.delay().toNanos(), () -> from.reset(target));
            return;
        }
        world.faults.carry(world.agenda, world.random, () -> target.received(from, message));
    }

    /** Connections of a process that died alone are reset by its host. */
    void reset(SimulatedMember dead) {
        for (SimulatedMember member : members) {
            if (member != dead) {
                world.agenda.after(2 * world.faults.delay().toNanos(), () -> member.reset(dead));
            }
        }
    }

    /** A member's watch has come to verdicts. */
    void declared(SimulatedMember by, List<FailureVerdict> verdicts) {
        List<SimulatedMember> lost = new ArrayList<>();
        for (FailureVerdict verdict : verdicts) {
            SimulatedMember on = seats.get(verdict.member());
            if (on == null) {
                continue;
            }
            world.judge.declared(by, on, verdict);
            if (on == by) {
                by.close();
            } else if (by == owner || on == owner) {
                lost.add(on);
            }
        }
        if (!lost.isEmpty() && members.removeAll(lost)) {
            world.agenda.after(RECONFIGURATION, () -> reconfigure(lost));
        }
    }

    private void reconfigure(List<SimulatedMember> lost) {
        if (lost.contains(owner)) {
            owner = members.stream()
                    .filter(seat -> seat.process.alive())
                    .findFirst()
                    .orElse(owner);
        }
        spread();
    }
}
