// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import dev.volary.protocol.membership.FailureDetector;
import dev.volary.protocol.membership.MemberList;
import dev.volary.protocol.membership.WatchedMember;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A group that detects its own failures. Like the owner's machine, it answers verdicts with a member list without the dead. */
final class SimulatedGroup {
    /** Nanoseconds until an owner acts on verdicts, or a group has a new owner. */
    private static final long RECONFIGURATION = 20_000_000;

    final MembershipSimulation simulation;
    final Map<WorkerId, SimulatedMember> byId = new HashMap<>();
    private List<SimulatedMember> members = new ArrayList<>();
    private SimulatedMember owner;
    private long version;

    SimulatedGroup(MembershipSimulation simulation, List<SimulatedProcess> processes) {
        this.simulation = simulation;
        for (SimulatedProcess process : processes) {
            SimulatedMember member = new SimulatedMember(
                    process, this, new FailureDetector(process.id, simulation.config, simulation.random.nextLong()));
            process.memberships.add(member);
            byId.put(process.id, member);
            members.add(member);
        }
        this.owner = members.getFirst();
    }

    /** Sends the new member list to all members, each after a short delay. */
    void spread() {
        MemberList list = new MemberList(
                ++version,
                owner.process.id,
                members.stream()
                        .map(member -> new WatchedMember(member.process.id, member.process.zone))
                        .toList());
        for (SimulatedMember member : members) {
            simulation.queue.after(simulation.random.nextLong(RECONFIGURATION / 2), () -> member.members(list));
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
        simulation.checker.messageSent(from, message);
        SimulatedMember target = byId.get(to);
        if (target == null || simulation.isCut(from.process, target.process)) {
            return;
        }
        if (target.process.refuses()) {
            simulation.queue.after(simulation.faults.delay().toNanos(), () -> from.reset(target));
            return;
        }
        simulation.faults.carry(simulation.queue, simulation.random, () -> target.received(from, message));
    }

    /** Connections of a process that died alone are reset by its host. */
    void reset(SimulatedMember dead) {
        for (SimulatedMember member : members) {
            if (member != dead) {
                simulation.queue.after(2 * simulation.faults.delay().toNanos(), () -> member.reset(dead));
            }
        }
    }

    /** A member's detector has declared others dead. */
    void declared(SimulatedMember by, List<FailureVerdict> verdicts) {
        List<SimulatedMember> lost = new ArrayList<>();
        for (FailureVerdict verdict : verdicts) {
            SimulatedMember on = byId.get(verdict.member());
            if (on == null) {
                continue;
            }
            simulation.checker.memberDeclaredDead(by, on, verdict);
            if (on == by) {
                by.close();
            } else if (by == owner || on == owner) {
                lost.add(on);
            }
        }
        if (!lost.isEmpty() && members.removeAll(lost)) {
            simulation.queue.after(RECONFIGURATION, () -> reconfigure(lost));
        }
    }

    private void reconfigure(List<SimulatedMember> lost) {
        if (lost.contains(owner)) {
            owner = members.stream()
                    .filter(member -> member.process.alive())
                    .findFirst()
                    .orElse(owner);
        }
        spread();
    }
}
