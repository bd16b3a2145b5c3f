// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.operator.pod.LossCause;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.spawner.SpawnerClients;
import dev.volary.operator.status.EventReason;
import java.util.List;

/** An action that is executed after the status was written. Every action may safely be executed twice. */
public sealed interface OperatorAction {
    /** Creates the objects of the job, except pods, if they do not exist. */
    record CreateResources() implements OperatorAction {}

    /** Creates pods. */
    record CreatePods(List<NewPod> pods) implements OperatorAction {
        public CreatePods {
            pods = List.copyOf(pods);
        }
    }

    /**
     * A pod to create.
     *
     * @param pod role and serial number
     * @param group its worker group; empty for none
     */
    record NewPod(PodName pod, String group) {}

    /** Deletes a pod, if it still has the observed UID. */
    record DeletePod(ObservedPod pod) implements OperatorAction {}

    /** Ends the containers of a pod, if it still has the observed UID, and keeps the pod for its logs. */
    record StopPod(ObservedPod pod) implements OperatorAction {}

    /** Sends a hint about a pod to all spawners. */
    record SendHint(String pod, SpawnerClients.Hint hint) implements OperatorAction {}

    /** Removes the leader from the Lease after all pods were deleted; keeps the term, so that the next term is higher. */
    record ClearLeader() implements OperatorAction {}

    /** Takes one snapshot for a request. */
    record TakeCheckpoint(String request) implements OperatorAction {}

    /** Publishes an event. */
    record PublishEvent(EventReason reason, String note) implements OperatorAction {}

    /** Counts lost workers in the metrics. */
    record CountLosses(LossCause cause, int workers) implements OperatorAction {}

    /** Deletes the job itself, and publishes why. */
    record DeleteJob(String reason) implements OperatorAction {}
}
