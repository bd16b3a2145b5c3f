package dev.volary.operator.step;

import dev.volary.job.resource.Phase;
import dev.volary.operator.job.Happening;
import dev.volary.operator.job.Reason;

/** Lets a job start forming, and has the objects it consists of kept in place. */
final class KeepObjects implements Step {
    @Override
    public void take(Seen seen, Draft draft) {
        if (draft.phase() == Phase.Pending) {
            draft.enter(Phase.Forming, Reason.Forming, "");
            draft.change(next -> {
                if (next.blocks == null) {
                    Integer given = seen.spec().blocks();
                    next.blocks = given == null ? seen.spec().daemons().replicas() : given;
                }
            });
            draft.then(new Action.Tell(Happening.Forming, "workers are started"));
        }
        if (draft.phase() == Phase.Forming || draft.phase() == Phase.Running) {
            draft.then(new Action.EnsureObjects());
        }
    }
}
