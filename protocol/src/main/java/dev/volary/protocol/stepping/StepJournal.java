// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.stepping;

import dev.volary.protocol.log.ReplicatedLog;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.LogEntry;
import java.util.Optional;

/** Commits in the leader's log: they count as its records do. */
public final class StepJournal implements StepLog {
    private final ReplicatedLog log;
    private final RecoveredSteps recovered;

    /**
     * @param log of this leader, with what it inherited
     * @param recovered what daemons report, should the log be lost
     */
    public StepJournal(ReplicatedLog log, RecoveredSteps recovered) {
        this.log = log;
        this.recovered = recovered;
    }

    @Override
    public Optional<CommittedStep> newest() {
        Optional<CommittedStep> logged =
                log.newest(LogEntry.StepCommitted.class).map(LogEntry.StepCommitted::record);
        boolean older = recovered
                .newest()
                .filter(record -> logged.isEmpty() || CommittedStep.ORDER.compare(record, logged.get()) > 0)
                .isPresent();
        return older ? recovered.newest() : logged;
    }

    @Override
    public void write(CommittedStep record, SpawnerTurn turn) {
        LogEntry.StepCommitted commit = new LogEntry.StepCommitted(record);
        if (log.newest(LogEntry.StepCommitted.class).filter(commit::equals).isEmpty()) {
            log.append(commit);
        }
    }

    @Override
    public boolean counts(CommittedStep record) {
        return log.holds(new LogEntry.StepCommitted(record));
    }
}
