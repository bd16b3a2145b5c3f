package dev.volary.operator.step;

import dev.volary.operator.job.Happening;
import dev.volary.operator.pod.Cause;
import dev.volary.operator.pod.PodFacts;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.spawner.Spawners;
import java.util.List;

/** What is to be done once the status is written. Every action may be done twice without harm. */
public sealed interface Action {
    /** The objects of the job other than its pods are to be there. */
    record EnsureObjects() implements Action {}

    /** Pods are to be there. */
    record CreatePods(List<NewPod> pods) implements Action {
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
    record DeletePod(PodFacts pod) implements Action {}

    /** Spawners are to know what the API knows of a pod. */
    record PassHint(String pod, Spawners.Hint hint) implements Action {}

    /** Nobody leads the job any more, for none of its pods is left; the term stays, so that the next lead's is newer. */
    record WithdrawLead() implements Action {}

    /** A snapshot is to be taken for a request, once. */
    record TakeCheckpoint(String request) implements Action {}

    /** An event is to be told. */
    record Tell(Happening happening, String note) implements Action {}

    /** Lost workers are to be counted in the metrics. */
    record CountLosses(Cause cause, int workers) implements Action {}

    /** The job itself is to be deleted. */
    record DeleteJob() implements Action {}
}
