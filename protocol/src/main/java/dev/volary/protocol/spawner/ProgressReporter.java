// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.Optional;
import java.util.SplittableRandom;

/** Reports the group to the leader: who is in it until there is a plan, then how its daemons progress. */
final class ProgressReporter {
    private final Member self;
    private final OwnedGroup group;
    private final long retry;
    private final long period;
    private final SplittableRandom random;
    private long reportAt;

    /** @param seed of the jitter between reports before the plan */
    ProgressReporter(Member self, SpawnerConfig config, OwnedGroup group, long seed) {
        this.self = self;
        this.group = group;
        this.retry = config.retry().toNanos();
        this.period = config.reportPeriod().toNanos();
        this.random = new SplittableRandom(seed);
    }

    /** The leader should get a report at once. */
    void reportNow(long now) {
        reportAt = now;
    }

    void tick(Optional<WorkerId> leader, SpawnerTurn turn) {
        if (leader.isPresent()) {
            if (turn.now() >= reportAt) {
                report(leader.get(), turn);
            }
            turn.wakeAt(reportAt);
        }
    }

    private void report(WorkerId leader, SpawnerTurn turn) {
        GroupMembers members = group.members();
        if (group.blocks().isPresent()) {
            reportAt = turn.now() + period;
            turn.send(
                    leader,
                    new ProgressMessage.GroupProgress(
                            group.blocks().get().assignments().term(), members.reports()));
        } else {
            reportAt = turn.now() + retry + random.nextLong(Math.max(1, retry / 4));
            turn.send(leader, new ProgressMessage.GroupReport(self, members.members(), members.computed()));
        }
    }
}
