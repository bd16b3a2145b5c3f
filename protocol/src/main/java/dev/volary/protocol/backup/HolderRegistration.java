// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.backup;

import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.BackupMessage;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.Optional;

/**
 * A daemon among the holders of its group. Its store is opened some time after its first block iterates, so that a short job
 * has none, or as soon as the group has holders: a standby must have joined before it is needed. From then on it names itself
 * to the group's owner, with the version of the list it has, and gets a newer one if there is one: nothing else is needed to
 * repair a lost message, or to make itself known to another owner.
 */
public final class HolderRegistration {
    private static final long AGAIN = Duration.ofSeconds(5).toNanos();

    private final Optional<Duration> openAfter;
    private final int copies;
    private final long retry;
    private Optional<WorkerId> owner = Optional.empty();
    private Optional<BackupHolder> self = Optional.empty();
    private long version;
    private boolean iterating;
    private boolean asked;
    private boolean warmedUp;
    /** Lent to another group, whose holders are not known yet. */
    private boolean lent;

    private long openAt = Long.MAX_VALUE;
    private long sendAt = Long.MAX_VALUE;

    /**
     * @param openAfter time from the first iteration to the opening of the store; none if there is no store to open
     * @param copies wanted of each block
     * @param retry after which an unanswered announcement is repeated
     */
    public HolderRegistration(Optional<Duration> openAfter, int copies, Duration retry) {
        this.openAfter = openAfter;
        this.copies = copies;
        this.retry = retry.toNanos();
    }

    /** A block of this daemon starts to iterate. */
    public void iterating(long now) {
        if (!iterating && openAfter.isPresent()) {
            iterating = true;
            openAt = Math.min(openAt, now + openAfter.get().toNanos());
        }
    }

    /** The store is open: others can write to it. */
    public void opened(BackupHolder holder, long now) {
        self = Optional.of(holder);
        asked = true;
        sendAt = now;
    }

    /** The warm-up found backups with their holders: the owner, which assigns blocks, gets a report. */
    public void warmedUp(long now) {
        warmedUp = !lent;
        sendAt = self.isPresent() ? now : sendAt;
    }

    /** This daemon goes to another group: it has to find other backups there. */
    public void lent() {
        lent = true;
        warmedUp = false;
    }

    /**
     * A list of holders; one that is older, or not from this daemon's owner, is ignored.
     *
     * @return whether it is the first one of a group that this daemon was lent to
     */
    public boolean holders(WorkerId from, BackupMessage.HolderListUpdate list, DaemonTurn turn) {
        if (openAfter.isEmpty() || owner.filter(from::equals).isEmpty() || list.version() <= version) {
            return false;
        }
        version = list.version();
        openAt = Math.min(openAt, turn.now());
        turn.add(new WorkerAction.UpdateHolders(list.holders()));
        boolean first = lent;
        lent = false;
        return first;
    }

    /** Opens, announces and repeats. */
    public void tick(Optional<WorkerId> newOwner, DaemonTurn turn) {
        if (!newOwner.equals(owner)) {
            owner = newOwner;
            version = 0;
            sendAt = self.isPresent() ? turn.now() : sendAt;
        }
        if (!asked && turn.now() >= openAt) {
            asked = true;
            openAt = Long.MAX_VALUE;
            turn.add(new WorkerAction.OpenBackupStore());
        }
        if (turn.now() >= sendAt && owner.isPresent() && self.isPresent()) {
            sendAt = turn.now() + (version == 0 ? retry : AGAIN);
            turn.send(owner.get(), new BackupMessage.HolderReport(self.get(), copies, version, warmedUp));
        }
        if (!asked) {
            turn.wakeAt(openAt);
        }
        if (owner.isPresent()) {
            turn.wakeAt(sendAt);
        }
    }
}
