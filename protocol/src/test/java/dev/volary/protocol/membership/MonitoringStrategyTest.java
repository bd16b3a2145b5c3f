// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Members 1 to 5 in one ring, in this order; member 1 is the owner. */
class MonitoringStrategyTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final FailureDetectorConfig RING = FailureDetectorConfig.ring(TIMEOUT);
    private static final FailureDetectorConfig CONFIRMED = FailureDetectorConfig.confirmed(2, TIMEOUT);
    private static final FailureDetectorConfig CENTRALIZED = FailureDetectorConfig.centralised(TIMEOUT);
    private static final FailureDetectorConfig RANDOM = FailureDetectorConfig.phoenix();

    private static List<WorkerId> ids(long... values) {
        List<WorkerId> ids = new ArrayList<>();
        for (long value : values) {
            ids.add(new WorkerId(value));
        }
        return ids;
    }

    private static MembershipView view(long self, FailureDetectorConfig config, String... zones) {
        List<WatchedMember> members = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            members.add(new WatchedMember(new WorkerId(i + 1), zones.length == 0 ? "" : zones[i]));
        }
        MembershipView view = new MembershipView(new WorkerId(self), config, MonitoringStrategy.of(config), 7);
        assertTrue(view.updateMembers(new MemberList(1, new WorkerId(1), members), 0));
        return view;
    }

    private static List<WorkerId> watchers(MembershipView view) {
        return view.strategy.watchers(view);
    }

    private static Map<WorkerId, Duration> duties(MembershipView view) {
        Map<WorkerId, Duration> duties = new TreeMap<>();
        view.strategy.duties(view).forEach((id, interval) -> duties.put(id, Duration.ofNanos(interval)));
        return duties;
    }

    @Test
    void inARingEachMemberIsWatchedByItsSuccessorAlone() {
        assertEquals(ids(4), watchers(view(3, RING)));
        assertEquals(ids(1), watchers(view(5, RING)), "the ring is closed");
        assertEquals(Map.of(new WorkerId(2), RING.heartbeat()), duties(view(3, RING)));
        MembershipView view = view(3, RING);
        assertEquals(List.of(), view.strategy.insurers(view));
    }

    @Test
    void aRingWithConfirmationHasSeveralWatchersForEachMember() {
        MembershipView view = view(3, CONFIRMED);
        assertEquals(ids(4, 5), watchers(view));
        assertEquals(ids(4, 5, 1, 2), view.strategy.insurers(view), "the others get a rare heartbeat");
        assertEquals(
                Map.of(
                        new WorkerId(1), CONFIRMED.heartbeat(),
                        new WorkerId(2), CONFIRMED.heartbeat(),
                        new WorkerId(4), CONFIRMED.insurance(),
                        new WorkerId(5), CONFIRMED.insurance()),
                duties(view));
    }

    @Test
    void aRingWithConfirmationPrefersWatchersInOtherZones() {
        MembershipView view = view(3, CONFIRMED, "a", "b", "c", "c", "c");
        for (WorkerId watcher : watchers(view)) {
            assertTrue(ids(1, 2).contains(watcher), () -> watcher + " is in the zone of member 3");
        }
    }

    @Test
    void inACentralizedGroupAllHeartbeatsGoToTheOwnerAndTheOwnerIsNotWatched() {
        assertEquals(ids(1), watchers(view(3, CENTRALIZED)));
        assertEquals(Map.of(), duties(view(3, CENTRALIZED)));
        assertEquals(List.of(), watchers(view(1, CENTRALIZED)));
        assertEquals(Set.copyOf(ids(2, 3, 4, 5)), duties(view(1, CENTRALIZED)).keySet());
    }

    @Test
    void randomMonitorsAreKeptWhileTheyAreMembers() {
        MembershipView view = view(3, RANDOM);
        List<WorkerId> chosen = watchers(view);
        assertEquals(2, chosen.size());
        assertFalse(chosen.contains(view.self));
        for (int again = 0; again < 10; again++) {
            assertEquals(chosen, watchers(view));
        }
        WorkerId kept = chosen.get(1);
        List<WatchedMember> rest = new ArrayList<>();
        for (WorkerId id : ids(1, 2, 3, 4, 5)) {
            if (!id.equals(chosen.getFirst())) {
                rest.add(new WatchedMember(id, ""));
            }
        }
        view.updateMembers(new MemberList(2, rest.getFirst().id(), rest), 0);
        assertEquals(2, watchers(view).size());
        assertTrue(watchers(view).contains(kept));
        assertFalse(watchers(view).contains(chosen.getFirst()));
    }

    @Test
    void aMemberWithRandomMonitorsExpectsRareHeartbeatsOfAllOthers() {
        Map<WorkerId, Duration> duties = duties(view(3, RANDOM));
        assertEquals(4, duties.size());
        duties.values().forEach(interval -> assertEquals(RANDOM.insurance(), interval));
    }

    /** What each strategy takes as a sign of life, or as a reason to suspect. */
    private static String signs(FailureDetectorConfig config) {
        MonitoringStrategy strategy = MonitoringStrategy.of(config);
        List<String> signs = new ArrayList<>();
        if (strategy.sentTrafficReplacesHeartbeat()) {
            signs.add("sent");
        }
        if (strategy.acknowledgedTrafficReplacesHeartbeat()) {
            signs.add("acknowledged");
        }
        if (strategy.usesConnectionResets()) {
            signs.add("reset");
        }
        if (strategy.usesPlatformHints()) {
            signs.add("hint");
        }
        return String.join(" ", signs);
    }

    @Test
    void onlyTheDefaultAndPhoenixUseMoreSignsThanHeartbeats() {
        assertEquals("", signs(RING));
        assertEquals("", signs(CENTRALIZED));
        assertEquals("acknowledged reset hint", signs(CONFIRMED));
        assertEquals("sent reset", signs(RANDOM));
    }

    @Test
    void silenceIsSuspiciousAfterTheTimeoutAndEarlierWhereItIsConfirmed() {
        long timeout = TIMEOUT.toNanos();
        long interval = RING.heartbeat().toNanos();
        assertEquals(timeout, MonitoringStrategy.of(RING).suspectNanos(interval));
        assertEquals(timeout, MonitoringStrategy.of(CENTRALIZED).suspectNanos(interval));
        assertEquals(
                timeout / 2,
                MonitoringStrategy.of(CONFIRMED)
                        .suspectNanos(CONFIRMED.heartbeat().toNanos()),
                "the other half is for the confirmation");
        assertEquals(
                3 * RANDOM.timeout().toNanos(),
                MonitoringStrategy.of(RANDOM).suspectNanos(2 * RANDOM.timeout().toNanos()),
                "a heartbeat may be late by the timeout");
    }
}
