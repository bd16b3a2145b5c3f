// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.operator.job.EventReason;
import dev.volary.operator.pod.LossCause;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.spawner.SpawnerClients;
import java.util.List;

/** What is to be done once the status is written. Every action may be done twice without harm. */
public sealed interface OperatorAction {
    /** The objects of the job other than its pods are to be there. */
    record EnsureObjects() implements OperatorAction {}

    /** Pods are to be there. */
    record CreatePods(List<NewPod> pods) implements OperatorAction {
        public CreatePods {
            pods = List.copyOf(pods);
        }
    }

    /**
     * A pod to create.
     *
     * @param pod its place
     * @param group its worker group; empty for none
     */
    record NewPod(PodName pod, String group) {}

    /** A pod is to go, if it still is the one that was seen: the same UID. */
    record DeletePod(ObservedPod pod) implements OperatorAction {}

    /** Spawners are to know what the API knows of a pod. */
    record PassHint(String pod, SpawnerClients.Hint hint) implements OperatorAction {}

    /** Nobody leads the job any more, for none of its pods is left; the term stays, so that the next lead's is newer. */
    record WithdrawLead() implements OperatorAction {}

    /** A snapshot is to be taken for a request, once. */
    record TakeCheckpoint(String request) implements OperatorAction {}

    /** An event is to be told. */
    record Tell(EventReason happening, String note) implements OperatorAction {}

    /** Lost workers are to be counted in the metrics. */
    record CountLosses(LossCause cause, int workers) implements OperatorAction {}

    /** The job itself is to be deleted. */
    record DeleteJob() implements OperatorAction {}
}
