// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.spawner.SpawnerClients;

/** Sends spawners hints about pods that will end or have ended. The executor sends each hint once. */
final class ForwardPlatformHints implements ReconcileStep {
    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        observation.pods().forEach(pod -> {
            PodState.Presence presence = PodClassifier.state(pod).presence();
            switch (presence) {
                case COUNTED -> {} // nothing to forward
                case LEAVING -> plan.add(new OperatorAction.SendHint(pod.name(), SpawnerClients.Hint.LEAVING));
                case LOST -> plan.add(new OperatorAction.SendHint(pod.name(), SpawnerClients.Hint.GONE));
            }
        });
    }
}
