package dev.volary.protocol.step;

import dev.volary.protocol.Actions;
import dev.volary.protocol.LogRecord;
import dev.volary.protocol.log.LeadLog;
import java.util.Optional;

/** Commits in the lead's log: they count as its records do. */
public final class LoggedSteps implements StepLog {
    private final LeadLog log;
    private final HeardSteps heard;

    /**
     * @param log of this lead, with what it inherited
     * @param heard what daemons tell, should the log be lost
     */
    public LoggedSteps(LeadLog log, HeardSteps heard) {
        this.log = log;
        this.heard = heard;
    }

    @Override
    public Optional<StepRecord> newest() {
        Optional<StepRecord> logged = log.newest(LogRecord.StepCommitted.class).map(LogRecord.StepCommitted::record);
        boolean older = heard.newest()
                .filter(record -> logged.isEmpty() || StepRecord.ORDER.compare(record, logged.get()) > 0)
                .isPresent();
        return older ? heard.newest() : logged;
    }

    @Override
    public void write(StepRecord record, Actions out, long now) {
        LogRecord.StepCommitted commit = new LogRecord.StepCommitted(record);
        if (log.newest(LogRecord.StepCommitted.class).filter(commit::equals).isEmpty()) {
            log.append(commit);
        }
    }

    @Override
    public boolean counts(StepRecord record) {
        return log.holds(new LogRecord.StepCommitted(record));
    }
}
