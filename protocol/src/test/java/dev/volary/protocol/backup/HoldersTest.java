package dev.volary.protocol.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.Address;
import dev.volary.protocol.Holder;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HoldersTest {
    private static final NodeId OWNER = new NodeId(1);
    private static final NodeId OTHER_OWNER = new NodeId(2);
    private static final NodeId DAEMON = new NodeId(11);
    private static final NodeId STANDBY = new NodeId(12);
    private static final long SECOND = 1_000_000_000L;
    private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);
    private static final Duration RETRY = Duration.ofMillis(200);

    private final Holding holding = new Holding(Optional.of(FIVE_SECONDS), 2, RETRY);
    private final HolderList list = new HolderList(member(OWNER));
    private final List<Member> group = List.of(member(DAEMON), member(STANDBY));

    private static Member member(NodeId id) {
        return new Member(id, Role.DAEMON, "daemon-" + id, new Address("virtual", 1), "virtual", "", 1, 1L << 30);
    }

    private static Holder holder(NodeId id) {
        return new Holder(id, "host", "", new Address("virtual", (int) id.value()));
    }

    private static Message.Holding holding(NodeId id, long version) {
        return new Message.Holding(holder(id), 2, version, false);
    }

    private List<Action> tick(Optional<NodeId> owner, long now) {
        Actions out = new Actions();
        holding.tick(owner, out, now);
        return out.list();
    }

    private static List<Action> heard(Holding by, NodeId from, Message.Holders holders) {
        Actions out = new Actions();
        by.holders(from, holders, out, 0);
        by.tick(Optional.of(from), out, 0);
        return out.list();
    }

    @Test
    void whoever_keeps_copies_gets_a_lost_block_first_and_before_them_who_has_found_some() {
        assertEquals(group, list.readyFirst(group), "in the order they have");
        list.opened(holder(STANDBY), group, new Actions(), 0);
        assertEquals(List.of(member(STANDBY), member(DAEMON)), list.readyFirst(group));
        list.holding(new Message.Holding(holder(DAEMON), 2, 0, true), group, new Actions(), 0);
        assertEquals(group, list.readyFirst(group));
        list.lost(Set.of(DAEMON), group, new Actions(), 0);
        assertEquals(List.of(member(STANDBY), member(DAEMON)), list.readyFirst(group), "one that comes back is new");
    }

    @Test
    void a_rehearsal_is_told_at_once_and_to_a_new_owner() {
        tick(Optional.of(OWNER), 0);
        holding.opened(holder(STANDBY), 0);
        tick(Optional.of(OWNER), 0);
        holding.holders(OWNER, new Message.Holders(3, List.of(holder(STANDBY))), new Actions(), 0);
        tick(Optional.of(OWNER), RETRY.toNanos());
        holding.rehearsed(SECOND);
        assertEquals(
                List.of(new Action.Send(OWNER, new Message.Holding(holder(STANDBY), 2, 3, true))),
                tick(Optional.of(OWNER), SECOND));
        assertEquals(
                List.of(new Action.Send(OTHER_OWNER, new Message.Holding(holder(STANDBY), 2, 0, true))),
                tick(Optional.of(OTHER_OWNER), 2 * SECOND));
    }

    @Test
    void a_store_is_opened_five_seconds_after_the_first_iteration() {
        assertEquals(List.of(), tick(Optional.of(OWNER), 100 * SECOND));
        holding.iterating(100 * SECOND);
        holding.iterating(104 * SECOND);
        assertEquals(List.of(), tick(Optional.of(OWNER), 105 * SECOND - 1));
        assertEquals(List.of(new Action.OpenStore()), tick(Optional.of(OWNER), 105 * SECOND));
        assertEquals(List.of(), tick(Optional.of(OWNER), 106 * SECOND));
    }

    @Test
    void a_job_without_copies_opens_nothing() {
        Holding none = new Holding(Optional.empty(), 1, RETRY);
        none.iterating(0);
        Actions out = new Actions();
        none.tick(Optional.of(OWNER), out, 100 * SECOND);
        assertEquals(List.of(), out.list());
        assertEquals(Long.MAX_VALUE, out.wakeUp());
    }

    @Test
    void a_standby_opens_its_store_when_the_group_has_holders() {
        Holding standby = new Holding(Optional.of(FIVE_SECONDS), 2, RETRY);
        standby.tick(Optional.of(OWNER), new Actions(), 0);
        List<Holder> holders = List.of(holder(DAEMON));
        assertEquals(
                List.of(new Action.KnowHolders(holders), new Action.OpenStore()),
                heard(standby, OWNER, new Message.Holders(1, holders)));
    }

    @Test
    void an_open_store_is_announced_until_a_list_comes_and_to_a_new_owner_at_once() {
        tick(Optional.of(OWNER), 0);
        holding.opened(holder(DAEMON), 0);
        Action first = new Action.Send(OWNER, holding(DAEMON, 0));
        assertEquals(List.of(first), tick(Optional.of(OWNER), 0));
        assertEquals(List.of(), tick(Optional.of(OWNER), RETRY.toNanos() - 1));
        assertEquals(List.of(first), tick(Optional.of(OWNER), RETRY.toNanos()));
        holding.holders(OWNER, new Message.Holders(3, List.of(holder(DAEMON))), new Actions(), SECOND);
        assertEquals(
                List.of(new Action.Send(OTHER_OWNER, holding(DAEMON, 0))), tick(Optional.of(OTHER_OWNER), 2 * SECOND));
    }

    @Test
    void an_old_list_and_one_of_a_stranger_are_not_heard() {
        tick(Optional.of(OWNER), 0);
        Actions out = new Actions();
        holding.holders(OWNER, new Message.Holders(2, List.of(holder(DAEMON))), out, 0);
        holding.holders(OWNER, new Message.Holders(1, List.of()), out, 0);
        holding.holders(OTHER_OWNER, new Message.Holders(9, List.of()), out, 0);
        assertEquals(List.of(new Action.KnowHolders(List.of(holder(DAEMON)))), out.list());
    }

    @Test
    void the_first_holder_makes_the_owner_one_and_is_told_to_all_daemons() {
        Actions out = new Actions();
        list.holding(holding(DAEMON, 0), group, out, 0);
        Message.Holders one = new Message.Holders(1, List.of(holder(DAEMON)));
        assertEquals(
                List.of(
                        new Action.OpenStore(),
                        new Action.Send(DAEMON, one),
                        new Action.Send(STANDBY, one),
                        new Action.KnowHolders(one.holders())),
                out.list());
    }

    @Test
    void a_holder_with_the_newest_list_hears_nothing_and_one_with_an_older_list_hears_it() {
        list.holding(holding(DAEMON, 0), group, new Actions(), 0);
        Actions quiet = new Actions();
        list.holding(holding(DAEMON, 1), group, quiet, 0);
        assertEquals(List.of(), quiet.list());
        Actions missed = new Actions();
        list.holding(holding(DAEMON, 0), group, missed, 0);
        assertEquals(List.of(new Action.Send(DAEMON, new Message.Holders(1, List.of(holder(DAEMON))))), missed.list());
    }

    @Test
    void too_few_holders_are_told_once_they_have_been_too_few_for_a_while() {
        list.holding(holding(DAEMON, 0), group, new Actions(), 0);
        list.opened(holder(OWNER), group, new Actions(), 0);
        list.holding(holding(STANDBY, 0), group, new Actions(), 0);
        assertEquals(List.of(), judged(60 * SECOND), "three holders carry two copies");
        list.lost(Set.of(STANDBY), group, new Actions(), 60 * SECOND);
        assertEquals(List.of(), judged(61 * SECOND));
        assertEquals(List.of(new Action.Emit(new JobEvent.Degraded(1, 2))), judged(70 * SECOND));
        assertEquals(List.of(), judged(90 * SECOND));
        list.holding(holding(STANDBY, 0), group, new Actions(), 90 * SECOND);
        assertEquals(List.of(new Action.Emit(new JobEvent.Degraded(2, 2))), judged(100 * SECOND));
    }

    @Test
    void a_daemon_that_joins_later_gets_the_list() {
        Actions early = new Actions();
        list.joined(member(STANDBY), early);
        assertTrue(early.list().isEmpty());
        list.holding(holding(DAEMON, 0), group, new Actions(), 0);
        Actions late = new Actions();
        list.joined(member(STANDBY), late);
        assertEquals(List.of(new Action.Send(STANDBY, new Message.Holders(1, List.of(holder(DAEMON))))), late.list());
    }

    private List<Action> judged(long now) {
        Actions out = new Actions();
        list.tick(out, now);
        return out.list();
    }
}
