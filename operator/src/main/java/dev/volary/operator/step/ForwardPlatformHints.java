// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.spawner.SpawnerClients;

/** Tells spawners which pods are about to go or have gone; what was told before is not told again by whoever does it. */
final class ForwardPlatformHints implements ReconcileStep {
    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        seen.pods().forEach(pod -> {
            PodState.Presence place = PodClassifier.judge(pod).place();
            switch (place) {
                case HELD -> {}
                case LEAVING -> draft.then(new OperatorAction.PassHint(pod.name(), SpawnerClients.Hint.LEAVING));
                case LOST -> draft.then(new OperatorAction.PassHint(pod.name(), SpawnerClients.Hint.GONE));
            }
        });
    }
}
