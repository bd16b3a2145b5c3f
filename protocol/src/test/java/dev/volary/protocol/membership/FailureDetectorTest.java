// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Samples;
import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A group of five with member 1 as the owner; a message takes 10 ms. */
class FailureDetectorTest {
    private static final FailureDetectorConfig CONFIG = FailureDetectorConfig.confirmed(2, Duration.ofSeconds(2));
    private static final long TIMEOUT = CONFIG.timeout().toNanos();
    private static final long STEP = Duration.ofMillis(10).toNanos();
    private static final WorkerId OWNER = new WorkerId(1);
    private static final WorkerId SUSPECT = new WorkerId(3);

    private record OnItsWay(WorkerId from, WorkerAction.Send send) {}

    private record Declared(WorkerId by, FailureVerdict verdict, long at) {}

    private final Map<WorkerId, FailureDetector> members = new TreeMap<>();
    private final Set<WorkerId> paused = new HashSet<>();
    private final List<Declared> declared = new ArrayList<>();
    private Predicate<OnItsWay> lost = message -> false;
    private List<OnItsWay> network = new ArrayList<>();
    private long now;

    FailureDetectorTest() {
        for (long id = 1; id <= 5; id++) {
            members.put(new WorkerId(id), new FailureDetector(new WorkerId(id), CONFIG, id));
        }
        members.values().forEach(member -> member.updateMembers(list(1), new DaemonTurn(0)));
        run(2 * TIMEOUT);
        assertEquals(List.of(), declared);
    }

    private FailureDetector member(WorkerId id) {
        return Optional.ofNullable(members.get(id)).orElseThrow();
    }

    private MemberList list(long version) {
        return new MemberList(
                version,
                OWNER,
                members.keySet().stream()
                        .map(id -> new WatchedMember(id, "zone-" + id))
                        .toList());
    }

    /** Lets time pass: delivers what was sent a step before, and calls each member that is not paused. */
    private void run(long nanos) {
        for (long end = now + nanos; now < end; now += STEP) {
            List<OnItsWay> arriving = network;
            network = new ArrayList<>();
            members.forEach((id, member) -> {
                if (!paused.contains(id)) {
                    DaemonTurn turn = new DaemonTurn(now);
                    arriving.stream()
                            .filter(message -> message.send().to().equals(id) && !lost.test(message))
                            .forEach(message -> member.arrived(
                                    message.from(), message.send().message(), turn));
                    member.tick(turn).forEach(verdict -> declared.add(new Declared(id, verdict, now)));
                    Samples.sends(turn).forEach(send -> network.add(new OnItsWay(id, send)));
                }
            });
        }
    }

    private static boolean isBetween(OnItsWay message, WorkerId one, WorkerId other) {
        return Set.of(message.from(), message.send().to()).equals(Set.of(one, other));
    }

    @Test
    void theOwnerDeclaresASilentMemberWithinTheTimeout() {
        paused.add(SUSPECT);
        long silentFrom = now;
        run(2 * TIMEOUT);
        assertEquals(1, declared.size(), declared::toString);
        Declared verdict = declared.getFirst();
        assertEquals(OWNER, verdict.by());
        assertEquals(SUSPECT, verdict.verdict().member());
        assertEquals(FailureVerdict.Cause.DEAD, verdict.verdict().cause());
        assertTrue(verdict.at() - silentFrom <= TIMEOUT, declared::toString);
        assertTrue(verdict.verdict().silentNanos() >= CONFIG.silenceNanos(), "not before 90 % of the timeout");
    }

    @Test
    void aMemberThatOthersReachIsNotDeclaredThoughTheOwnerCannotReachIt() {
        lost = message -> isBetween(message, OWNER, SUSPECT);
        run(10 * TIMEOUT);
        assertEquals(List.of(), declared);
    }

    @Test
    void aMemberThatAnswersProbesIsNotDeclaredThoughItsHeartbeatsAreLost() {
        lost = message ->
                message.from().equals(SUSPECT) && message.send().message() instanceof MembershipMessage.Heartbeat;
        run(10 * TIMEOUT);
        assertEquals(List.of(), declared);
    }

    @Test
    void theOthersDeclareASilentOwner() {
        paused.add(OWNER);
        run(2 * TIMEOUT);
        Set<WorkerId> by = new HashSet<>();
        declared.forEach(verdict -> {
            assertEquals(OWNER, verdict.verdict().member());
            by.add(verdict.by());
        });
        assertEquals(4, by.size(), declared::toString);
        assertEquals(4, declared.size(), "each of them says so once");
    }

    @Test
    void aPauseOfTheOwnProcessIsNotTheOthersSilence() {
        FailureDetector watcher = new FailureDetector(OWNER, CONFIG, 7);
        MemberList two =
                new MemberList(1, OWNER, List.of(new WatchedMember(OWNER, ""), new WatchedMember(SUSPECT, "")));
        watcher.updateMembers(two, new DaemonTurn(0));
        watcher.receivedFrom(SUSPECT, 0);
        watcher.tick(new DaemonTurn(0));
        long resumed = 5 * TIMEOUT;
        for (long time = resumed; time < resumed + 3 * TIMEOUT / 4; time += STEP) {
            assertEquals(List.of(), watcher.tick(new DaemonTurn(time)));
        }
        List<FailureVerdict> verdicts = new ArrayList<>();
        for (long time = resumed + 3 * TIMEOUT / 4; time < resumed + 6 * TIMEOUT; time += STEP) {
            verdicts.addAll(watcher.tick(new DaemonTurn(time)));
        }
        assertEquals(1, verdicts.size(), "silence after the pause counts");
    }

    @Test
    void aMemberThatRunsLateMayBeSilentForLonger() {
        pauseSuspect(TIMEOUT / 2);
        pauseSuspect(TIMEOUT / 4 * 5);
        assertEquals(List.of(), declared);
    }

    @Test
    void aMemberThatSaysHowLongItMayBePausedMayBeSilentForTwiceThat() {
        members.put(SUSPECT, new FailureDetector(SUSPECT, CONFIG, 3, new SchedulingDelay(TIMEOUT)));
        member(SUSPECT).updateMembers(list(2), new DaemonTurn(now));
        run(TIMEOUT);
        pauseSuspect(TIMEOUT / 4 * 9);
        assertEquals(List.of(), declared);
    }

    @Test
    void aMemberThatRanLateAndDiesIsDeclaredWithinABound() {
        pauseSuspect(TIMEOUT / 2);
        paused.add(SUSPECT);
        long silentFrom = now;
        run((1 + FailureDetectorConfig.LONGEST_ALLOWANCE) * TIMEOUT);
        assertEquals(1, declared.size(), declared::toString);
        long silent = declared.getFirst().at() - silentFrom;
        assertTrue(silent > TIMEOUT && silent <= 2 * TIMEOUT, declared::toString);
    }

    @Test
    void aDelayOfThePastIsForgotten() {
        pauseSuspect(TIMEOUT / 2);
        run(Duration.ofSeconds(31).toNanos());
        paused.add(SUSPECT);
        run(TIMEOUT);
        assertEquals(1, declared.size(), declared::toString);
    }

    private void pauseSuspect(long nanos) {
        paused.add(SUSPECT);
        run(nanos);
        paused.remove(SUSPECT);
        run(TIMEOUT);
    }

    @Test
    void aLeavingMemberIsDeclaredSoonAndWithoutSuspicion() {
        member(SUSPECT).leaving(now);
        long left = now;
        run(TIMEOUT);
        assertEquals(1, declared.size(), declared::toString);
        assertEquals(
                new FailureVerdict(SUSPECT, FailureVerdict.Cause.LEFT, 0),
                declared.getFirst().verdict());
        assertTrue(declared.getFirst().at() - left < TIMEOUT / 4, declared::toString);
    }

    @Test
    void aConnectionRefusedAtTheOwnerAndAtAnotherMemberIsAVerdict() {
        paused.add(SUSPECT);
        long died = now;
        member(OWNER).on(new WorkerEvent.ConnectionReset(SUSPECT), new DaemonTurn(now));
        run(TIMEOUT / 4);
        assertEquals(List.of(), declared, "one refused connection is not enough");
        member(new WorkerId(4)).on(new WorkerEvent.ConnectionReset(SUSPECT), new DaemonTurn(now));
        run(TIMEOUT / 4);
        assertEquals(1, declared.size(), declared::toString);
        assertTrue(declared.getFirst().at() - died < TIMEOUT / 2, declared::toString);
    }

    @Test
    void aDeclaredMemberThatComesBackLearnsThatItWasDeclared() {
        paused.add(SUSPECT);
        run(2 * TIMEOUT);
        declared.clear();
        paused.remove(SUSPECT);
        run(TIMEOUT);
        assertEquals(1, declared.size(), declared::toString);
        assertEquals(SUSPECT, declared.getFirst().by());
        assertEquals(SUSPECT, declared.getFirst().verdict().member());
    }

    @Test
    void anOlderMemberListIsIgnored() {
        FailureDetector owner = member(OWNER);
        int before = owner.entries();
        owner.updateMembers(new MemberList(0, OWNER, List.of(new WatchedMember(OWNER, ""))), new DaemonTurn(now));
        assertEquals(before, owner.entries());
        owner.updateMembers(new MemberList(2, OWNER, List.of(new WatchedMember(OWNER, ""))), new DaemonTurn(now));
        assertTrue(owner.entries() < before);
    }
}
