// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import dev.volary.protocol.log.LogRules;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.rollback.RollbackRules;
import dev.volary.protocol.snapshot.SnapshotRules;

/** The rules of succession, of snapshots and of rollbacks, so that tests can plant wrong ones. */
public class TakeoverRules {
    private final SnapshotRules snapshots;
    private final LogRules log;
    private final RollbackRules rollbacks;

    public TakeoverRules(SnapshotRules snapshots, LogRules log) {
        this(snapshots, log, RollbackRules.standard());
    }

    public TakeoverRules(SnapshotRules snapshots, LogRules log, RollbackRules rollbacks) {
        this.snapshots = snapshots;
        this.log = log;
        this.rollbacks = rollbacks;
    }

    public static TakeoverRules standard() {
        return new TakeoverRules(SnapshotRules.standard(), LogRules.standard());
    }

    public static TakeoverRules of(SnapshotRules snapshots) {
        return new TakeoverRules(snapshots, LogRules.standard());
    }

    public SnapshotRules snapshots() {
        return snapshots;
    }

    public LogRules log() {
        return log;
    }

    public RollbackRules rollbacks() {
        return rollbacks;
    }

    /** Whether a spawner that was declared gone is told so when it speaks again. */
    public boolean dismisses() {
        return true;
    }

    /** Whether a daemon's word that it does not hear a spawner either is worth something here. */
    public boolean believes(Member self, Member witness, Member suspect) {
        return self.believes(witness, suspect);
    }

    /** Whether the leader may do what it has decided. */
    public boolean counts(boolean durable) {
        return durable;
    }
}
