package dev.volary.operator.step;

import dev.volary.operator.pod.PodState;
import dev.volary.operator.pod.PodTable;
import dev.volary.operator.spawner.Spawners;

/** Tells spawners which pods are about to go or have gone; what was told before is not told again by whoever does it. */
final class PassHints implements Step {
    @Override
    public void take(Seen seen, Draft draft) {
        seen.pods().forEach(pod -> {
            PodState.Place place = PodTable.judge(pod).place();
            switch (place) {
                case HELD -> {}
                case LEAVING -> draft.then(new Action.PassHint(pod.name(), Spawners.Hint.LEAVING));
                case LOST -> draft.then(new Action.PassHint(pod.name(), Spawners.Hint.GONE));
            }
        });
    }
}
