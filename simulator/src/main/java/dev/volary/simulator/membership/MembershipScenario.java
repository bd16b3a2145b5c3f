// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.model.IterationCounter;
import dev.volary.simulator.scenario.NetworkModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * A group and what happens to it.
 *
 * @param name of the scenario
 * @param smallest group; its size is drawn from here to 32
 * @param zones that members are spread over
 * @param config how the members monitor each other
 * @param faults of the network
 * @param length of the run
 * @param within how long a verdict may take
 * @param fromLastSign whether that time counts from the last message that any member received; else from the crash
 * @param mistakes live members that may be declared
 * @param maySuspectLive whether members that live and were never paused may be probed or suspected
 * @param schedule what happens to the group
 */
record MembershipScenario(
        String name,
        int smallest,
        int zones,
        FailureDetectorConfig config,
        NetworkModel faults,
        Duration length,
        Duration within,
        boolean fromLastSign,
        int mistakes,
        boolean maySuspectLive,
        Consumer<SimulatedGroup> schedule) {

    /** A fifth of all messages is lost. */
    static final NetworkModel LOSSY = new NetworkModel(Duration.ofNanos(200_000), Duration.ofNanos(50_000), 0.2, 0, 0);

    private static final NetworkModel UNORDERED =
            new NetworkModel(Duration.ofMillis(1), Duration.ofMillis(2), 0.02, 0.1, 0.1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LONG_PAUSE = TIMEOUT.multipliedBy(5).dividedBy(4);
    private static final FailureDetectorConfig STANDARD = FailureDetectorConfig.standard();

    private static MembershipScenario of(
            String name, int smallest, NetworkModel faults, Consumer<SimulatedGroup> schedule) {
        return new MembershipScenario(
                name, smallest, 3, STANDARD, faults, Duration.ofSeconds(10), TIMEOUT, true, 0, true, schedule);
    }

    private MembershipScenario within(Duration time, boolean sign) {
        return new MembershipScenario(
                name, smallest, zones, config, faults, length, time, sign, mistakes, maySuspectLive, schedule);
    }

    private MembershipScenario mistaken(int most) {
        return new MembershipScenario(
                name, smallest, zones, config, faults, length, within, fromLastSign, most, maySuspectLive, schedule);
    }

    private MembershipScenario withoutSuspicions() {
        return new MembershipScenario(
                name, smallest, zones, config, faults, length, within, fromLastSign, mistakes, false, schedule);
    }

    private MembershipScenario inOneZone() {
        return new MembershipScenario(
                name, smallest, 1, config, faults, length, within, fromLastSign, mistakes, maySuspectLive, schedule);
    }

    private MembershipScenario lasting(Duration time) {
        return new MembershipScenario(
                name, smallest, zones, config, faults, time, within, fromLastSign, mistakes, maySuspectLive, schedule);
    }

    private MembershipScenario with(FailureDetectorConfig newConfig) {
        return new MembershipScenario(
                name,
                smallest,
                zones,
                newConfig,
                faults,
                length,
                within,
                fromLastSign,
                mistakes,
                maySuspectLive,
                schedule);
    }

    /** Loss and pauses of every member, the owner included, for as long as wanted. */
    static MembershipScenario hour(Duration length) {
        return of("loss-and-pauses", 3, LOSSY, MembershipScenario::stutter).lasting(length);
    }

    static List<MembershipScenario> all() {
        return List.of(
                of("calm", 2, NetworkModel.NONE, group -> {}).withoutSuspicions(),
                of("loss", 2, LOSSY, group -> {}),
                of("pauses", 2, NetworkModel.NONE, MembershipScenario::stutter),
                hour(Duration.ofSeconds(30)),
                of("unordered", 2, UNORDERED, MembershipScenario::stutter),
                of("silent-crash", 2, NetworkModel.NONE, group -> crash(group, 1, true)),
                of("crash-under-loss", 3, LOSSY, group -> crash(group, 1, true)).within(Duration.ofSeconds(2), false),
                of("crash-with-pauses", 4, LOSSY, group -> {
                            stutter(group);
                            crash(group, 1, true);
                        })
                        .within(Duration.ofSeconds(6), true),
                of("crash-unordered", 3, UNORDERED, group -> crash(group, 1, true))
                        .within(Duration.ofMillis(2500), true),
                of("reset-crash", 2, NetworkModel.NONE, group -> crash(group, 1, false))
                        .within(Duration.ofMillis(200), false),
                of("reset-of-a-link", 3, LOSSY, MembershipScenario::flap),
                of("two-adjacent", 6, NetworkModel.NONE, group -> crash(group, 2, true))
                        .inOneZone(),
                of("three-adjacent", 8, NetworkModel.NONE, group -> crash(group, 3, true))
                        .inOneZone()
                        .within(Duration.ofMillis(2700), true),
                of("one-after-another", 8, NetworkModel.NONE, MembershipScenario::series)
                        .within(Duration.ofMillis(2100), true),
                of("zone", 12, NetworkModel.NONE, group -> crashZone(group, false)),
                of("zone-of-the-owner", 16, NetworkModel.NONE, group -> crashZone(group, true))
                        .within(Duration.ofSeconds(4), true),
                of("owner", 3, NetworkModel.NONE, group -> crashOwner(group, 1)),
                of("owner-and-monitors", 8, NetworkModel.NONE, group -> crashOwner(group, 3))
                        .inOneZone()
                        .within(Duration.ofSeconds(4), true),
                of("long-pause", 3, LOSSY, group -> pauseLong(group, member(group)))
                        .lasting(Duration.ofSeconds(14))
                        .mistaken(1),
                of("long-pause-of-the-owner", 3, LOSSY, group -> pauseLong(group, group.owner()))
                        .lasting(Duration.ofSeconds(14))
                        .mistaken(1),
                of("paused-watcher", 4, NetworkModel.NONE, MembershipScenario::pauseOne)
                        .withoutSuspicions(),
                of("starved", 4, NetworkModel.NONE, MembershipScenario::starve).lasting(Duration.ofSeconds(60)),
                of("crash-while-starved", 4, NetworkModel.NONE, MembershipScenario::crashWhileStarved)
                        .lasting(Duration.ofSeconds(70))
                        .within(TIMEOUT.multipliedBy(4 * FailureDetectorConfig.LONGEST_ALLOWANCE), true)
                        .mistaken(1),
                of("one-way-cuts", 8, NetworkModel.NONE, MembershipScenario::cutLinks),
                of("deaf-owner", 4, NetworkModel.NONE, MembershipScenario::deafen),
                of("mute-member", 4, NetworkModel.NONE, MembershipScenario::mute)
                        .mistaken(1),
                of("leaving", 2, LOSSY, MembershipScenario::leave).within(Duration.ofSeconds(2), false),
                of("stuck", 4, LOSSY, MembershipScenario::stick)
                        .with(STANDARD.withStuck(Duration.ofSeconds(4)))
                        .lasting(Duration.ofSeconds(12))
                        .mistaken(1),
                of("hinted", 3, NetworkModel.NONE, MembershipScenario::hint),
                of("other-traffic", 4, NetworkModel.NONE, group -> chat(group, true))
                        .withoutSuspicions(),
                of("other-traffic-held-up", 4, NetworkModel.NONE, group -> chat(group, false))
                        .withoutSuspicions());
    }

    static MembershipScenario named(String name) {
        return all().stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scenario " + name + "; there are "
                        + all().stream().map(MembershipScenario::name).toList()));
    }

    // ---- schedules -------------------------------------------------------------------------------------------------

    private static Duration moment(SimulatedGroup group) {
        return Duration.ofMillis(3000 + group.simulation.random.nextInt(2000));
    }

    /** A member other than the owner. */
    private static SimulatedMember member(SimulatedGroup group) {
        return group.members()
                .get(1 + group.simulation.random.nextInt(group.members().size() - 1));
    }

    private static void stutter(SimulatedGroup group) {
        group.members().forEach(member -> group.simulation.pauses(member.process, Duration.ofSeconds(15), SECOND));
    }

    /** The machine has more to do than processors: all run late, at first by up to a second, then by more than the timeout. */
    private static void starve(SimulatedGroup group) {
        group.members()
                .forEach(member -> group.simulation.pauses(
                        member.process,
                        SECOND,
                        () -> group.simulation.queue.now()
                                        < Duration.ofSeconds(20).toNanos()
                                ? SECOND
                                : LONG_PAUSE));
    }

    /** Of a member whose watcher has crashed it is unknown for a while how late it runs: one may be declared by mistake. */
    private static void crashWhileStarved(SimulatedGroup group) {
        starve(group);
        group.members().forEach(member -> member.process.excused = true);
        SimulatedMember dead = member(group);
        group.simulation.at(Duration.ofSeconds(30), () -> group.simulation.crash(dead.process, true));
    }

    private static void crash(SimulatedGroup group, int adjacent, boolean withHost) {
        int others = group.members().size() - 1;
        int first = group.simulation.random.nextInt(others - adjacent + 1);
        List<SimulatedMember> dead = List.copyOf(group.members().subList(1 + first, 1 + first + adjacent));
        group.simulation.at(
                moment(group), () -> dead.forEach(member -> group.simulation.crash(member.process, withHost)));
    }

    /** Members die within a second, so that the ring changes while others are silent. */
    private static void series(SimulatedGroup group) {
        List<SimulatedMember> others =
                new ArrayList<>(group.members().subList(1, group.members().size()));
        Collections.shuffle(others, new Random(group.simulation.random.nextLong()));
        List<SimulatedMember> dead = others.subList(0, 3);
        Duration start = moment(group);
        for (int i = 0; i < dead.size(); i++) {
            SimulatedMember member = dead.get(i);
            Duration at = start.plusMillis(i * 1000L + group.simulation.random.nextInt(900));
            group.simulation.at(at, () -> group.simulation.crash(member.process, true));
        }
    }

    private static void crashZone(SimulatedGroup group, boolean ofTheOwner) {
        String owners = group.owner().process.zone;
        String zone = group.members().stream()
                .map(member -> member.process.zone)
                .filter(name -> name.equals(owners) == ofTheOwner)
                .findFirst()
                .orElse("none");
        List<SimulatedMember> dead = group.members().stream()
                .filter(member -> member.process.zone.equals(zone))
                .toList();
        boolean manyZones = group.members().stream()
                        .map(member -> member.process.zone)
                        .distinct()
                        .count()
                > 2;
        if (manyZones) {
            group.simulation.at(
                    moment(group), () -> dead.forEach(member -> group.simulation.crash(member.process, true)));
        }
    }

    private static void crashOwner(SimulatedGroup group, int withNext) {
        List<SimulatedMember> dead = List.copyOf(group.members().subList(0, withNext));
        group.simulation.at(moment(group), () -> dead.forEach(member -> group.simulation.crash(member.process, true)));
    }

    private static void pauseLong(SimulatedGroup group, SimulatedMember member) {
        member.process.excused = true;
        group.simulation.at(moment(group), () -> member.process.pause(5_000_000_000L));
    }

    /** One member pauses for more than a second, too short for a verdict. */
    private static void pauseOne(SimulatedGroup group) {
        SimulatedMember member = group.members()
                .get(group.simulation.random.nextInt(group.members().size()));
        group.simulation.at(moment(group), () -> member.process.pause(1_100_000_000L));
    }

    private static void flap(SimulatedGroup group) {
        SimulatedMember one = member(group);
        SimulatedMember other = group.members().stream()
                .filter(member -> member != one)
                .skip(group.simulation.random.nextInt(group.members().size() - 1))
                .findFirst()
                .orElseThrow();
        group.simulation.at(moment(group), () -> {
            one.reset(other);
            other.reset(one);
        });
    }

    private static void cutLinks(SimulatedGroup group) {
        List<SimulatedProcess> from = new ArrayList<>();
        List<SimulatedProcess> to = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            from.add(member(group).process);
            to.add(group.members()
                    .get(group.simulation.random.nextInt(group.members().size()))
                    .process);
        }
        group.simulation.at(
                moment(group),
                () -> group.simulation.cut((a, b) -> {
                    for (int i = 0; i < from.size(); i++) {
                        if (from.get(i) == a && to.get(i) == b) {
                            return true;
                        }
                    }
                    return false;
                }));
        group.simulation.at(Duration.ofSeconds(8), () -> group.simulation.cut((a, b) -> false));
    }

    private static void deafen(SimulatedGroup group) {
        SimulatedProcess owner = group.owner().process;
        owner.excused = true;
        group.simulation.at(Duration.ofSeconds(3), () -> group.simulation.cut((from, to) -> to == owner));
        group.simulation.at(Duration.ofMillis(7500), () -> group.simulation.cut((from, to) -> false));
    }

    private static void mute(SimulatedGroup group) {
        SimulatedProcess mute = member(group).process;
        mute.excused = true;
        group.simulation.at(Duration.ofSeconds(3), () -> group.simulation.cut((from, to) -> from == mute));
        group.simulation.at(Duration.ofSeconds(7), () -> group.simulation.cut((from, to) -> false));
    }

    /** A member announces that it leaves, and ends half a second later. */
    private static void leave(SimulatedGroup group) {
        SimulatedMember member = member(group);
        member.process.excused = true;
        Duration at = moment(group);
        group.simulation.at(at, () -> member.with((detector, now) -> detector.leaving(now)));
        group.simulation.at(at.plusMillis(500), () -> group.simulation.crash(member.process, true));
    }

    /** All iterate, some rest now and then, one block makes no more progress. */
    private static void stick(SimulatedGroup group) {
        SimulatedMember stuck = member(group);
        stuck.process.excused = true;
        for (int tenth = 0; tenth < 120; tenth++) {
            int iteration = tenth;
            group.simulation.at(Duration.ofMillis(100L * tenth), () -> {
                for (SimulatedMember member : List.copyOf(group.members())) {
                    boolean rests = member.process.id.value() % 3 == 0 && iteration > 20;
                    long own = member == stuck ? Math.min(iteration, 30) : rests ? 20 : iteration;
                    List<IterationCounter> counters = List.of(new IterationCounter(1, own, rests && member != stuck));
                    member.with((detector, now) -> detector.setCounters(counters));
                }
            });
        }
    }

    /** The platform hints at a member that lives. */
    private static void hint(SimulatedGroup group) {
        SimulatedMember member = member(group);
        group.simulation.at(moment(group), () -> group.owner().hinted(member));
    }

    /** All report to the owner and talk to their neighbors, five times a second. */
    private static void chat(SimulatedGroup group, boolean getsThrough) {
        List<SimulatedMember> members = List.copyOf(group.members());
        for (int fifth = 5; fifth < 50; fifth++) {
            for (int i = 0; i < members.size(); i++) {
                SimulatedMember from = members.get(i);
                int number = i;
                group.simulation.at(Duration.ofMillis(200L * fifth + 7L * i), () -> {
                    for (int next = 1; next < 5 && next < members.size(); next++) {
                        from.talk(members.get((number + next) % members.size()), getsThrough);
                    }
                });
            }
        }
    }
}
