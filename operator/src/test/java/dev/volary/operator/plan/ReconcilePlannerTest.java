// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.JobStatus.Replacements;
import dev.volary.job.resource.Phase;
import dev.volary.operator.pod.AnyPod;
import dev.volary.operator.pod.NodeState;
import dev.volary.operator.pod.ObservedPod.Lifecycle;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.pod.PodZone;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.spawner.SpawnerClients;
import dev.volary.operator.status.ConditionType;
import dev.volary.operator.status.Conditions;
import dev.volary.operator.status.EventReason;
import dev.volary.operator.status.TrackedPods;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReconcilePlannerTest {
    @Test
    void aNewJobIsAcceptedAndItsWorkersAreAskedFor() {
        Scene scene = new Scene("daemons: {replicas: 2, standbys: 1}").decide();
        assertEquals(Phase.Forming, scene.phase());
        assertEquals(List.of("heat-s-0", "heat-s-1", "heat-d-0", "heat-d-1", "heat-d-2"), scene.createdNames());
        assertEquals(1, scene.actions(OperatorAction.CreateResources.class).size());
        assertEquals(List.of(Phase.Pending, Phase.Forming), history(scene));
        assertEquals(2, scene.status().blocks());
        assertTrue(scene.serials().daemons() >= 2, "serials are reserved before pods are created");
    }

    @Test
    void aJobWhoseBlocksIterateRuns() {
        Scene scene = Scene.running();
        assertEquals(Phase.Running, scene.phase());
        assertEquals("True EnoughDaemons", scene.condition("Ready"));
        assertEquals("False Complete", scene.condition("Degraded"));
        assertEquals("3.000e-06", scene.status().certifiedResidual()); // 3e-4 / 100, as the norm is relative
        assertEquals("1.000e-06", scene.status().tolerance());
        assertEquals("heat-s-0", scene.status().leader());
    }

    @Test
    void nothingNewChangesNothing() {
        Scene scene = Scene.running();
        JobStatus before = scene.status();
        scene.after(Duration.ofHours(1)).decide();
        assertEquals(before, scene.status());
        assertEquals(List.of(), scene.created());
        assertEquals(List.of(), scene.actions(OperatorAction.PublishEvent.class));
    }

    @Test
    void aDeletedPodIsReplacedUnderAHigherSerialAndItsSpawnersAreNotified() {
        Scene scene = Scene.running().pod(AnyPod.daemon(1).deleting()).decide();
        assertEquals(List.of("heat-d-4"), scene.createdNames());
        assertEquals(
                List.of(new OperatorAction.SendHint("heat-d-1", SpawnerClients.Hint.LEAVING)),
                scene.actions(OperatorAction.SendHint.class));
        assertEquals(replaced(1, 0, 0), scene.status().replacements());
        assertEquals(0, scene.status().retriesUsed());
    }

    @Test
    void aLossIsCountedOnce() {
        Scene scene = Scene.running().pod(AnyPod.daemon(1).deleting()).decide().createdPods();
        scene.decide().disappeared("heat-d-1").decide().restarted().decide();
        assertEquals(replaced(1, 0, 0), scene.status().replacements());
    }

    @Test
    void aPodThatVanishesWithoutATraceIsADisruption() {
        Scene scene = Scene.running().disappeared("heat-d-2").decide();
        assertEquals(replaced(0, 1, 0), scene.status().replacements());
        assertEquals(
                List.of(new OperatorAction.SendHint("heat-d-2", SpawnerClients.Hint.GONE)),
                scene.actions(OperatorAction.SendHint.class));
        assertEquals(List.of("heat-d-4"), scene.createdNames());
    }

    @Test
    void aPodThatAnotherOperatorHasJustCreatedIsNotLost() {
        PodName created = new PodName(PodRole.DAEMON, 2);
        Scene scene = Scene.running().unseen(created).disappeared("heat-d-2").decide();
        assertEquals(replaced(0, 0, 0), scene.status().replacements());
        assertTrue(TrackedPods.parse(scene.status().roster()).restartsByPod().containsKey(created));
    }

    @Test
    void aPodWhoseLossAnotherOperatorHasCountedIsNotTrackedAgain() {
        PodName counted = new PodName(PodRole.DAEMON, 1);
        Scene scene = Scene.running().pod(AnyPod.daemon(1).deleting()).decide();
        scene.countedByAnother(counted).pod(AnyPod.daemon(1)).decide();
        assertFalse(TrackedPods.parse(scene.status().roster()).restartsByPod().containsKey(counted));
        assertEquals(
                replaced(1, 0, 0),
                scene.disappeared("heat-d-1").decide().status().replacements());
    }

    @Test
    void aJobIsReadyWithItsMinimumOfDaemons() {
        Scene scene = new Scene("daemons: {replicas: 3, min: 2, standbys: 0}")
                .decide()
                .createdPods()
                .computing()
                .decide();
        scene.pod(AnyPod.daemon(0).lifecycle(Lifecycle.FAILED, "Evicted")).decide();
        assertEquals("True EnoughDaemons", scene.condition("Ready"));
        scene.pod(AnyPod.daemon(1).lifecycle(Lifecycle.FAILED, "Evicted")).decide();
        assertEquals("False TooFewDaemons", scene.condition("Ready"));
    }

    @Test
    void disruptionsNeverEndAJob() {
        Scene scene = new Scene("daemons: {replicas: 3, standbys: 1}; failurePolicy: {maxRetries: 0}")
                .decide()
                .createdPods()
                .computing()
                .decide();
        for (int serial = 0; serial < 20; serial++) {
            scene.pod(AnyPod.daemon(serial).lifecycle(Lifecycle.FAILED, "Evicted"))
                    .decide()
                    .createdPods()
                    .disappeared("heat-d-" + serial);
        }
        assertEquals(Phase.Running, scene.phase());
        assertEquals(replaced(0, 20, 0), scene.status().replacements());
        assertEquals(0, scene.status().retriesUsed());
    }

    @Test
    void killingAContainerFromOutsideIsADisruption() {
        Scene scene =
                Scene.running().pod(AnyPod.daemon(0).restarted(1, 137, "Error")).decide();
        assertEquals(replaced(0, 1, 0), scene.status().replacements());
        assertEquals(0, scene.status().retriesUsed());
        assertEquals(List.of(), scene.created());
        scene.decide();
        assertEquals(replaced(0, 1, 0), scene.status().replacements());
    }

    @Test
    void aMachineThatIsSwitchedOffAndOnAgainUnderAContainerIsADisruption() {
        Scene scene = Scene.running()
                .pod(AnyPod.daemon(0).restarted(1, 255, "Unknown"))
                .decide();
        assertEquals(replaced(0, 1, 0), scene.status().replacements());
        assertEquals(0, scene.status().retriesUsed());
    }

    @Test
    void aFencedWorkerThatRestartsIsNoFailure() {
        Scene scene =
                Scene.running().pod(AnyPod.daemon(0).restarted(1, 75, "Error")).decide();
        assertEquals(replaced(0, 0, 0), scene.status().replacements());
        assertEquals(0, scene.status().retriesUsed());
    }

    @Test
    void aWorkerWhoseHeapIsFullHasFailedAndTheEventSaysWhatToRaise() {
        Scene scene =
                Scene.running().pod(AnyPod.daemon(0).restarted(1, 3, "Error")).decide();
        assertEquals(replaced(0, 0, 1), scene.status().replacements());
        assertEquals(1, scene.status().retriesUsed());
        assertEquals(
                List.of(new OperatorAction.PublishEvent(
                        EventReason.WorkerFailed,
                        "heat-d-0 ended with exit code 3 (out of memory; raise the memory limit in its pod template)"
                                + " and is restarted")),
                scene.actions(OperatorAction.PublishEvent.class));
    }

    @Test
    void failuresUseUpTheBudgetAndThenEndTheJob() {
        Scene scene = new Scene("daemons: {replicas: 2}; failurePolicy: {maxRetries: 2}")
                .decide()
                .createdPods()
                .decide();
        scene.pod(AnyPod.daemon(0).restarted(1, 1, "Error")).decide();
        scene.pod(AnyPod.daemon(1).restarted(1, 137, "OOMKilled")).decide();
        assertEquals(2, scene.status().retriesUsed());
        assertEquals(Phase.Forming, scene.phase());
        scene.pod(AnyPod.daemon(0).restarted(2, 1, "Error")).decide();
        assertEquals(Phase.Failed, scene.phase());
        assertEquals("True RetriesExhausted", scene.condition("Failed"));
        assertEquals(List.of(), scene.created());
    }

    @Test
    void afterARestartOfTheOperatorNoSerialIsUsedTwice() {
        Scene scene = Scene.running();
        long reserved = scene.serials().daemons();
        scene.restarted().disappeared("heat-d-0").decide();
        assertEquals(List.of("heat-d-" + (reserved + 1)), scene.createdNames());
        assertTrue(scene.serials().daemons() > reserved);
    }

    @Test
    void aCertifiedAnswerIsWrittenBeforeAnythingIsDeleted() {
        Scene scene = Scene.running().ended(new JobReport.End.Certified(5e-5)).decide();
        assertEquals(Phase.Succeeded, scene.phase());
        assertEquals("5.000e-07", scene.status().certifiedResidual());
        assertEquals("True Certified", scene.condition("Converged"));
        assertEquals("True Certified", scene.condition("Complete"));
        assertEquals("True Finished", scene.condition("Ready")); // kstatus waits for a job that is not ready
        assertEquals(List.of(), scene.deletedNames());
        scene.decide();
        assertEquals(List.of("heat-d-0", "heat-d-1", "heat-d-2", "heat-d-3"), scene.deletedNames());
    }

    @Test
    void aFailedJobIsStalledAndKeepsTheLogsOfItsSpawners() {
        Scene scene = Scene.running()
                .ended(new JobReport.End.Failed("block 3 took three daemons down"))
                .decide();
        assertEquals("True JobFailed", scene.condition("Stalled"));
        assertEquals("True JobFailed", scene.condition("Failed"));
        assertEquals("False NotComplete", scene.condition("Complete"));
        scene.decide();
        assertEquals(List.of("heat-s-0", "heat-s-1"), scene.stoppedNames());
        assertEquals(List.of("heat-d-0", "heat-d-1", "heat-d-2", "heat-d-3"), scene.deletedNames());
    }

    @Test
    void aFailedJobKeepsNoPodIfTheManifestSaysSo() {
        Scene scene = Scene.running()
                .spec("daemons: {replicas: 3, standbys: 1}; podRetention: None")
                .ended(new JobReport.End.Failed("block 3 took three daemons down"))
                .decide()
                .decide();
        assertEquals(List.of(), scene.stoppedNames());
        assertEquals(6, scene.deletedNames().size());
    }

    @Test
    void spawnersStayUntilTheResultIsFetched() {
        Scene scene = Scene.running()
                .ended(new JobReport.End.Certified(5e-5))
                .decide()
                .decide();
        assertFalse(scene.deletedNames().contains("heat-s-0"));
        scene.results(new JobReport.Results(true, Set.of("heat-s-0"), Set.of())).decide();
        assertTrue(scene.deletedNames().contains("heat-s-0"));
        assertEquals(true, scene.status().resultFetched());
        assertEquals("False ResultFetched", scene.condition("ResultAvailable"));
    }

    @Test
    void theSpawnersOfAJobThatReachedItsDeadlineKeepItsBestAnswer() {
        Scene scene = Scene.running()
                .ended(new JobReport.End.NotConverged(5e-2, 1234))
                .decide();
        assertEquals("True NotConverged", scene.condition("Failed"));
        assertTrue(
                scene.message("Failed").contains("residual 5.000e-04 after about 1234 iterations"),
                scene.message("Failed"));
        assertEquals("5.000e-04", scene.status().certifiedResidual());
        JobReport.Results held = new JobReport.Results(false, Set.of("heat-s-0"), Set.of());
        scene.results(held).decide();
        assertEquals("True OnSpawners", scene.condition("ResultAvailable"));
        assertFalse(scene.deletedNames().contains("heat-s-0"));
        assertEquals(List.of(), scene.stoppedNames());
        scene.results(new JobReport.Results(true, Set.of("heat-s-0"), Set.of())).decide();
        assertEquals("False ResultFetched", scene.condition("ResultAvailable"));
        assertEquals(List.of("heat-s-0", "heat-s-1"), scene.stoppedNames());
    }

    @Test
    void aJobThatReachedItsDeadlineWithoutAnAnswerKeepsNoSpawner() {
        Scene scene = Scene.running()
                .ended(new JobReport.End.NotConverged(Double.POSITIVE_INFINITY, 0))
                .decide();
        assertEquals("True DeadlineExceeded", scene.condition("Failed"));
        scene.decide();
        assertEquals(List.of("heat-s-0", "heat-s-1"), scene.stoppedNames());
    }

    @Test
    void theConditionSaysWhetherOneSpawnerAloneHoldsTheResult() {
        Scene scene = Scene.running().ended(new JobReport.End.Certified(5e-5)).decide();
        scene.results(new JobReport.Results(false, Set.of("heat-s-0", "heat-s-1"), Set.of()))
                .decide();
        assertEquals("held by heat-s-0 and heat-s-1", scene.message("ResultAvailable"));
        scene.results(new JobReport.Results(false, Set.of("heat-s-1"), Set.of("heat-s-0")))
                .decide();
        assertEquals("held by heat-s-1 alone until another spawner has a copy", scene.message("ResultAvailable"));
        scene.spec("daemons: {replicas: 3, standbys: 1}; spawners: {replicas: 1}")
                .decide();
        assertEquals(
                "held by heat-s-1 alone: its loss before the fetch would lose the result",
                scene.message("ResultAvailable"));
    }

    @Test
    void aLostHolderIsReplacedUntilTheResultIsFetched() {
        Scene scene = Scene.running().ended(new JobReport.End.Certified(5e-5)).decide();
        scene.results(new JobReport.Results(false, Set.of("heat-s-0", "heat-s-1"), Set.of()))
                .decide();
        assertEquals(List.of(), scene.createdNames());
        scene.disappeared("heat-s-0")
                .results(new JobReport.Results(false, Set.of("heat-s-1"), Set.of()))
                .decide();
        assertEquals(List.of("heat-s-2"), scene.createdNames());
        scene.pod(AnyPod.spawner(2).lifecycle(Lifecycle.PENDING, "")).decide();
        assertEquals(List.of(), scene.createdNames());
        assertFalse(scene.deletedNames().contains("heat-s-2"), "it shall get a copy");
        scene.disappeared("heat-s-2")
                .results(new JobReport.Results(true, Set.of("heat-s-1"), Set.of()))
                .decide();
        assertEquals(List.of(), scene.createdNames());
    }

    @Test
    void aHolderThatIsEvictedIsReplacedBeforeItEnds() {
        Scene scene = Scene.running().ended(new JobReport.End.Certified(5e-5)).decide();
        scene.results(new JobReport.Results(false, Set.of("heat-s-0", "heat-s-1"), Set.of()))
                .pod(AnyPod.spawner(0).deleting())
                .pod(AnyPod.spawner(1).deleting())
                .decide();
        assertEquals(List.of("heat-s-2", "heat-s-3"), scene.createdNames());
    }

    @Test
    void aResultThatIsLostNeedsNoReplacements() {
        Scene scene = Scene.running().ended(new JobReport.End.Certified(5e-5)).decide();
        scene.disappeared("heat-s-0")
                .results(new JobReport.Results(false, Set.of(), Set.of("heat-s-1")))
                .decide();
        assertEquals("False ResultLost", scene.condition("ResultAvailable"));
        assertEquals(List.of(), scene.createdNames());
    }

    @Test
    void anUnfetchedResultIsWarnedOfBeforeItExpires() {
        Scene scene = Scene.running()
                .spec("daemons: {replicas: 3, standbys: 1}; ttlSecondsAfterFinished: 600")
                .ended(new JobReport.End.Certified(5e-5))
                .decide();
        JobReport.Results held = new JobReport.Results(false, Set.of("heat-s-0"), Set.of());
        scene.after(Duration.ofSeconds(299)).results(held).decide();
        assertEquals("True OnSpawners", scene.condition("ResultAvailable"));
        assertEquals(0, events(scene, EventReason.ResultExpires));
        scene.after(Duration.ofSeconds(1)).results(held).decide();
        assertEquals("True ExpiresSoon", scene.condition("ResultAvailable"));
        assertEquals(1, events(scene, EventReason.ResultExpires));
        scene.decide();
        assertEquals(0, events(scene, EventReason.ResultExpires));
        scene.after(Duration.ofSeconds(299)).decide();
        assertEquals(List.of(), scene.actions(OperatorAction.DeleteJob.class));
        scene.after(Duration.ofSeconds(1)).decide();
        assertEquals(1, scene.actions(OperatorAction.DeleteJob.class).size());
    }

    @Test
    void theTimeToLiveOfAFetchedResultCountsFromItsFetch() {
        Scene scene = Scene.running()
                .spec("daemons: {replicas: 3, standbys: 1}; ttlSecondsAfterFinished: 600")
                .ended(new JobReport.End.Certified(5e-5))
                .decide();
        JobReport.Results fetched = new JobReport.Results(true, Set.of("heat-s-0"), Set.of());
        scene.after(Duration.ofSeconds(590)).results(fetched).decide();
        scene.after(Duration.ofSeconds(599)).decide();
        assertEquals(List.of(), scene.actions(OperatorAction.DeleteJob.class));
        scene.after(Duration.ofSeconds(1)).decide();
        assertEquals(1, scene.actions(OperatorAction.DeleteJob.class).size());
    }

    @Test
    void aPublishedResultNeedsNoSpawners() {
        Scene scene = Scene.running().ended(new JobReport.End.Certified(5e-5)).decide();
        scene.results(published("s3://results/heat/7-u1/result.zarr", "")).decide();
        assertEquals("True Published", scene.condition("ResultAvailable"));
        assertEquals("s3://results/heat/7-u1/result.zarr", scene.status().resultLocation());
        assertTrue(scene.deletedNames().contains("heat-s-0"));
        scene.noPods().decide();
        assertEquals("True Published", scene.condition("ResultAvailable"));
    }

    @Test
    void aFailedPublicationIsShownAndPublishedAsAnEventOnce() {
        Scene scene = Scene.running();
        scene.withReport(JobReport.Stage.RUNNING, published("", "the bucket is full"))
                .decide();
        assertEquals("False PublicationFailed", scene.condition("ResultAvailable"));
        assertEquals(1, events(scene, EventReason.PublicationFailed));
        scene.decide();
        assertEquals(0, events(scene, EventReason.PublicationFailed));
        assertEquals(Phase.Running, scene.phase());
    }

    private static JobReport.Results published(String location, String failure) {
        return new JobReport.Results(
                false,
                Set.of("heat-s-0", "heat-s-1"),
                Set.of(),
                Optional.of(location).filter(given -> !given.isEmpty()),
                Optional.of(failure).filter(given -> !given.isEmpty()));
    }

    @Test
    void theStatusNamesTheSpawnersThatHoldTheResult() {
        Scene scene = Scene.running().ended(new JobReport.End.Certified(5e-5)).decide();
        scene.results(new JobReport.Results(false, Set.of("heat-s-1", "heat-s-0"), Set.of()))
                .decide();
        assertEquals("True OnSpawners", scene.condition("ResultAvailable"));
        scene.disappeared("heat-s-0")
                .results(new JobReport.Results(false, Set.of("heat-s-1"), Set.of()))
                .decide();
        assertEquals("True OnSpawners", scene.condition("ResultAvailable"));
        assertEquals(
                List.of(),
                scene.actions(OperatorAction.PublishEvent.class).stream()
                        .filter(t -> t.reason() == EventReason.ResultLost)
                        .toList());
    }

    @Test
    void aSpawnerThatHasNotStartedWhenTheJobSucceedsHoldsNoResultAndIsDeleted() {
        Scene scene = Scene.running().ended(new JobReport.End.Certified(5e-5)).decide();
        scene.disappeared("heat-s-0")
                .pod(AnyPod.spawner(1).lifecycle(Lifecycle.PENDING, ""))
                .decide();
        assertTrue(scene.deletedNames().contains("heat-s-1"));
        assertEquals("False ResultLost", scene.condition("ResultAvailable"));
    }

    @Test
    void aResultWhoseSpawnersHaveEndedIsLostAndThatIsPublishedOnce() {
        Scene scene = Scene.running().ended(new JobReport.End.Certified(5e-5)).decide();
        scene.results(new JobReport.Results(false, Set.of("heat-s-0"), Set.of()))
                .decide();
        scene.noPods().decide();
        assertEquals("False ResultLost", scene.condition("ResultAvailable"));
        assertEquals(
                1,
                scene.actions(OperatorAction.PublishEvent.class).stream()
                        .filter(t -> t.reason() == EventReason.ResultLost)
                        .toList()
                        .size());
        scene.decide();
        assertEquals("False ResultLost", scene.condition("ResultAvailable"));
        assertEquals(
                List.of(),
                scene.actions(OperatorAction.PublishEvent.class).stream()
                        .filter(t -> t.reason() == EventReason.ResultLost)
                        .toList());
    }

    @Test
    void aReportOlderThanTheLossOfAllSpawnersDoesNotHideThatTheResultIsLost() {
        Scene scene = Scene.running().ended(new JobReport.End.Certified(5e-5)).decide();
        scene.results(new JobReport.Results(false, Set.of("heat-s-0", "heat-s-1"), Set.of()))
                .decide();
        scene.disappeared("heat-s-0").disappeared("heat-s-1").decide();
        assertEquals("False ResultLost", scene.condition("ResultAvailable"));
    }

    @Test
    void aResultIsLostWhenAllSpawnersThatAreLeftSayThatTheyHaveNone() {
        Scene scene = Scene.running().ended(new JobReport.End.Certified(5e-5)).decide();
        scene.results(new JobReport.Results(false, Set.of(), Set.of("heat-s-0")))
                .decide();
        assertFalse(
                scene.status().conditions().stream().anyMatch(c -> c.getType().equals("ResultAvailable")),
                "heat-s-1 does not answer, and may hold it");
        scene.results(new JobReport.Results(false, Set.of(), Set.of("heat-s-0", "heat-s-1")))
                .decide();
        assertEquals("False ResultLost", scene.condition("ResultAvailable"));
    }

    @Test
    void anEndIsFinal() {
        Scene scene = Scene.running().ended(new JobReport.End.Certified(5e-5)).decide();
        JobStatus end = scene.decide().status();
        scene.noPods().computing().restarted().decide();
        assertEquals("False ResultLost", scene.condition("ResultAvailable"));
        assertEquals(end, scene.status().but(next -> next.conditions = end.conditions()));
        assertEquals(List.of(), scene.created());
        scene.spec("daemons: {replicas: 9}; suspend: true").decide();
        assertEquals(Phase.Succeeded, scene.phase());
        assertEquals(List.of(), scene.created());
    }

    @Test
    void aProblemThatTheWorkersDoNotHaveEndsTheJobWithTheirError() {
        String text = "spec.problem.type is \"heat3d\", but the workers' image has no such problem; use one of heat2d,"
                + " obstacle3d, or put the jar that brings it into the image's folder /opt/volary/solvers";
        Scene scene = new Scene("daemons: {replicas: 2}")
                .decide()
                .createdPods()
                .ended(new JobReport.End.Failed(text))
                .decide();
        assertEquals(Phase.Failed, scene.phase());
        assertEquals("True JobFailed", scene.condition("Failed"));
        assertEquals(text, scene.message("Failed"));
        assertEquals(
                List.of(new OperatorAction.PublishEvent(EventReason.Failed, text)),
                scene.actions(OperatorAction.PublishEvent.class));
    }

    @Test
    void aFailureOfTheWorkersSaysWhy() {
        Scene scene = Scene.running()
                .ended(new JobReport.End.Failed("block 2 failed three times"))
                .decide();
        assertEquals(Phase.Failed, scene.phase());
        assertEquals("True JobFailed", scene.condition("Failed"));
        assertEquals("block 2 failed three times", scene.message("Failed"));
    }

    @Test
    void spawnersComeWithTheDaemonsThatNeedThemAndStay() {
        Scene scene = Scene.running();
        scene.spec("daemons: {replicas: 65}").decide();
        assertTrue(scene.createdNames().contains("heat-s-2"), scene.createdNames()::toString);
        assertFalse(scene.createdNames().contains("heat-s-3"), scene.createdNames()::toString);
        scene.createdPods().spec("daemons: {replicas: 3}").computing().decide();
        assertFalse(scene.deletedNames().stream().anyMatch(name -> name.startsWith("heat-s-")));
    }

    @Test
    void spawnersThatAreGivenStayAsTheyAre() {
        Scene scene = Scene.running();
        scene.spec("daemons: {replicas: 60}\nspawners: {replicas: 2}").decide();
        assertFalse(scene.createdNames().stream().anyMatch(name -> name.startsWith("heat-s-")));
    }

    @Test
    void scalingUpCreatesPodsAndScalingDownDeletesStandbysFirst() {
        Scene scene = Scene.running();
        scene.spec("daemons: {replicas: 5, standbys: 1}").decide();
        assertEquals(List.of("heat-d-4", "heat-d-5"), scene.createdNames());
        scene.createdPods()
                .spec("daemons: {replicas: 3, standbys: 0}")
                .computing()
                .decide();
        assertEquals(3, scene.deletedNames().size());
        assertFalse(scene.deletedNames().stream().anyMatch(List.of("heat-d-0", "heat-d-1", "heat-d-2")::contains));
        scene.deletedNames().forEach(scene::disappeared);
        scene.decide();
        assertEquals(replaced(0, 0, 0), scene.status().replacements());
    }

    @Test
    void daemonsGoToTheGroupOfTheHighestPriorityThatIsNotFull() {
        Scene scene = new Scene("""
                        daemons: {replicas: 4}
                        workerGroups: [{name: steady, priority: 1}, {name: spot, priority: 10, maxReplicas: 3}]
                        """).decide();
        assertEquals(
                List.of("spot", "spot", "spot", "steady"),
                scene.created().stream()
                        .map(OperatorAction.NewPod::group)
                        .filter(g -> !g.isEmpty())
                        .toList());
    }

    @Test
    void aSilentNodesPodIsReplacedAndCountsAgainWhenItComesBack() {
        Scene scene =
                Scene.running().pod(AnyPod.daemon(0).on(NodeState.NOT_READY)).decide();
        assertEquals(List.of("heat-d-4"), scene.createdNames());
        scene.createdPods().decide();
        scene.pod(AnyPod.daemon(0)).decide();
        assertEquals(1, scene.deletedNames().size(), "one is too many now");
        assertEquals(replaced(0, 1, 0), scene.status().replacements());
    }

    @Test
    void aPodOnASilentNodeThatOthersReportAliveStays() {
        Scene scene = Scene.running()
                .pod(AnyPod.daemon(0).on(NodeState.NOT_READY).alive())
                .decide();
        assertEquals(List.of(), scene.createdNames());
        assertEquals(replaced(0, 0, 0), scene.status().replacements());
    }

    @Test
    void aJobThatDoesNotStartInTimeFailsAndSaysWhatWasInTheWay() {
        Scene scene = new Scene("daemons: {replicas: 1}; preRunningDeadlineSeconds: 60").decide();
        assertEquals(Duration.ofSeconds(60), scene.again().orElseThrow());
        scene.createdPods()
                .pod(AnyPod.daemon(0).unschedulable("0/3 nodes are available: insufficient cpu"))
                .after(Duration.ofSeconds(60))
                .decide();
        assertEquals(Phase.Failed, scene.phase());
        assertEquals("True NeverStarted", scene.condition("Failed"));
        assertTrue(scene.message("Failed").contains("insufficient cpu"), scene.message("Failed"));
    }

    @Test
    void theDeadlineOfTheWholeEndsAJobThatItsWorkersDoNotEnd() {
        Scene scene = new Scene("daemons: {replicas: 1}; activeDeadlineSeconds: 100").decide();
        scene.after(Duration.ofSeconds(100)).decide();
        assertEquals(Phase.Forming, scene.phase(), "the workers enforce the deadline first");
        scene.after(Duration.ofSeconds(35)).decide();
        assertEquals("True DeadlineExceeded", scene.condition("Failed"));
    }

    @Test
    void theDeadlineEndsNoJobWhoseWorkersMayStoreItsResult() {
        Scene scene = new Scene("daemons: {replicas: 1}; activeDeadlineSeconds: 100; "
                        + "result: {destination: ObjectStore, objectStore: {bucket: out}}")
                .decide()
                .createdPods();
        scene.computing().decide().after(Duration.ofMinutes(2)).decide();
        assertEquals(Phase.Running, scene.phase());
        scene.noReport().after(Duration.ofMinutes(14)).decide();
        assertEquals(Phase.Running, scene.phase(), "workers give up after 15 minutes");
        scene.after(Duration.ofMinutes(3)).decide();
        assertEquals("True DeadlineExceeded", scene.condition("Failed"));
    }

    @Test
    void anOperatorThatStartsPollsTheSpawnersBeforeItEndsAJobAtItsDeadline() {
        Scene scene = new Scene("daemons: {replicas: 1}; activeDeadlineSeconds: 100")
                .decide()
                .createdPods();
        scene.computing().decide().recovered(false).after(Duration.ofSeconds(200));
        scene.noReport().decide();
        assertEquals(Phase.Running, scene.phase());
        assertEquals(Duration.ofSeconds(1), scene.again().orElseThrow());
        scene.recovered(true).ended(new JobReport.End.Certified(5e-5)).decide();
        assertEquals(Phase.Succeeded, scene.phase());
    }

    @Test
    void anOperatorThatStartsPollsTheSpawnersBeforeItEndsAJobThatDoesNotIterate() {
        Scene scene = new Scene("daemons: {replicas: 1}; preRunningDeadlineSeconds: 60")
                .decide()
                .createdPods();
        scene.decide().recovered(false).after(Duration.ofSeconds(61)).decide();
        assertEquals(Phase.Forming, scene.phase());
        scene.recovered(true).decide();
        assertEquals("True NeverStarted", scene.condition("Failed"));
    }

    @Test
    void anOperatorThatStartsPollsTheSpawnersBeforeItSuspendsAJobThatWasForming() {
        String suspended =
                "checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}; daemons: {replicas: 1}; suspend: true";
        Scene scene = new Scene("daemons: {replicas: 1}").decide().createdPods().decide();
        scene.spec(suspended).recovered(false).decide();
        assertEquals(Phase.Forming, scene.phase());
        assertEquals(List.of(), scene.deletedNames());
        scene.recovered(true).computing().decide();
        assertEquals(1, scene.actions(OperatorAction.TakeCheckpoint.class).size());
        assertEquals(List.of(), scene.deletedNames());
    }

    @Test
    void restartsOfASurplusPodAreNotCountedAgainWhileItIsStillThere() {
        Scene scene = new Scene("daemons: {replicas: 2}").decide().createdPods().decide();
        scene.pod(AnyPod.daemon(1).restarted(2, 1, "Error")).decide();
        assertEquals(2, scene.status().retriesUsed());
        scene.spec("daemons: {replicas: 1}").decide();
        assertEquals(List.of("heat-d-1"), scene.deletedNames());
        scene.decide().disappeared("heat-d-0").decide();
        assertEquals(2, scene.status().retriesUsed());
    }

    @Test
    void aSpawnerPodThatHasEndedIsDeletedThoughNoClientHasTheResult() {
        Scene scene = Scene.running().ended(new JobReport.End.Certified(5e-5)).decide();
        scene.pod(AnyPod.spawner(0).lifecycle(Lifecycle.FAILED, "Evicted")).decide();
        assertTrue(scene.deletedNames().contains("heat-s-0"), () -> "" + scene.deletedNames());
        assertFalse(scene.deletedNames().contains("heat-s-1"), () -> "" + scene.deletedNames());
    }

    @Test
    void aJobThatEndsDoesNotShowThatItCannotBeSuspended() {
        Scene scene = Scene.running().spec("daemons: {replicas: 3, standbys: 1}; suspend: true");
        scene.decide();
        assertEquals("False NoCheckpoint", scene.condition("Suspended"));
        scene.ended(new JobReport.End.Certified(5e-5)).decide();
        assertEquals("False NotSuspended", scene.condition("Suspended"));
    }

    @Test
    void aFinishedJobIsDeletedWhenItsTimeIsOver() {
        Scene scene = Scene.running().ended(new JobReport.End.Certified(5e-5)).decide();
        scene.spec("ttlSecondsAfterFinished: 30").decide();
        assertEquals(Duration.ofSeconds(30), scene.again().orElseThrow());
        assertEquals(List.of(), scene.actions(OperatorAction.DeleteJob.class));
        scene.after(Duration.ofSeconds(30)).decide();
        assertEquals(1, scene.actions(OperatorAction.DeleteJob.class).size());
    }

    @Test
    void refusedPodsAreShownWithTheRemedy() {
        Scene scene = new Scene("daemons: {replicas: 2}")
                .decide()
                .refused(
                        "pods \"heat-d-0\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=5, limited: pods=5")
                .decide();
        assertEquals("False QuotaExceeded", scene.condition("Ready"));
        assertTrue(scene.message("Ready").contains("limited: pods=5"));
    }

    @Test
    void anImageThatCannotBePulledIsShownWithoutFlapping() {
        Scene scene = new Scene("daemons: {replicas: 1}").decide().createdPods();
        scene.pod(AnyPod.daemon(0).waiting("ErrImagePull", "failed to pull image \"x:1\": timed out after 31 s"))
                .decide();
        assertEquals("False ImageUnavailable", scene.condition("Ready"));
        assertEquals(List.of(EventReason.WorkerBlocked), events(scene));
        JobStatus first = scene.status();
        scene.pod(AnyPod.daemon(0).waiting("ImagePullBackOff", "Back-off pulling image \"x:1\": 20 s"))
                .decide();
        assertEquals(first, scene.status());
        assertEquals(List.of(), events(scene));
    }

    private static List<EventReason> events(Scene scene) {
        return scene.actions(OperatorAction.PublishEvent.class).stream()
                .map(OperatorAction.PublishEvent::reason)
                .toList();
    }

    @Test
    void anErrorThatOnlyTheOperatorCanDetectKeepsAJobWaiting() {
        Scene scene = new Scene("daemons: {replicas: 1}")
                .faults("spec.inputs[0].path is \"./data\", …")
                .decide();
        assertEquals(Phase.Pending, scene.phase());
        assertEquals("False InvalidSpec", scene.condition("Ready"));
        assertEquals("True InvalidSpec", scene.condition("Stalled"));
        assertEquals(List.of(), scene.created());
        scene.faults().decide();
        assertEquals(Phase.Forming, scene.phase());
        assertEquals("False Progressing", scene.condition("Stalled"));
    }

    @Test
    void aClaimForOneNodeIsNamedInAnEventAndWhileTheJobForms() {
        Scene scene =
                new Scene("daemons: {replicas: 1}").warnings("spec.checkpoint…").decide();
        assertTrue(events(scene).contains(EventReason.ClaimOnOneNode));
        scene.decide();
        assertEquals(Phase.Forming, scene.phase());
        assertEquals(
                List.of(),
                events(scene).stream()
                        .filter(EventReason.ClaimOnOneNode::equals)
                        .toList());
        assertEquals(
                "spec.checkpoint…",
                Conditions.find(scene.status().conditions(), ConditionType.Ready)
                        .orElseThrow()
                        .getMessage());
    }

    @Test
    void suspendingTakesASnapshotFirstAndThenDeletesThePods() {
        Scene scene = Scene.running()
                .spec(
                        "checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}; daemons: {replicas: 3, standbys: 1}; suspend: true")
                .decide();
        assertEquals(Phase.Running, scene.phase());
        assertEquals(1, scene.actions(OperatorAction.TakeCheckpoint.class).size());
        assertEquals(List.of(), scene.deletedNames());
        scene.checkpoint(true, "snapshot 7").decide();
        assertEquals(Phase.Suspending, scene.phase());
        assertEquals(6, scene.deletedNames().size());
        scene.noPods().decide();
        assertEquals(Phase.Suspended, scene.phase());
        assertEquals("True NoPods", scene.condition("Suspended"));
        assertEquals(1, scene.actions(OperatorAction.ClearLeader.class).size());
        assertEquals(replaced(0, 0, 0), scene.status().replacements());
        scene.decide();
        assertEquals(List.of(), scene.created());
        scene.spec(
                        "checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}; daemons: {replicas: 3, standbys: 1}")
                .decide()
                .decide();
        assertEquals(Phase.Forming, scene.phase());
        assertEquals(6, scene.created().size());
        assertEquals(
                List.of(Phase.Pending, Phase.Forming, Phase.Running, Phase.Suspending, Phase.Suspended, Phase.Forming),
                history(scene));
    }

    @Test
    void aJobThatCannotBeSavedIsNotSuspended() {
        Scene scene = Scene.running()
                .spec("daemons: {replicas: 3, standbys: 1}; suspend: true")
                .decide();
        assertEquals(Phase.Running, scene.phase());
        assertEquals("False NoCheckpoint", scene.condition("Suspended"));
        assertEquals(List.of(), scene.deletedNames());
    }

    @Test
    void withoutADurableCheckpointNoPodIsDeletedAndTheReasonIsPublishedOnce() {
        Scene scene = Scene.running()
                .spec(
                        "checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}; daemons: {replicas: 3, standbys: 1}; suspend: true")
                .checkpoint(false, "no checkpoint became durable within 60 s: the disk is full")
                .decide();
        assertEquals(Phase.Running, scene.phase());
        assertEquals("False NoCheckpoint", scene.condition("Suspended"));
        assertEquals(List.of(), scene.deletedNames());
        assertEquals(1, events(scene, EventReason.CheckpointRefused));
        scene.decide();
        assertEquals(0, events(scene, EventReason.CheckpointRefused));
        scene.noCheckpoint().decide();
        assertEquals(1, scene.actions(OperatorAction.TakeCheckpoint.class).size());
        assertEquals("False NoCheckpoint", scene.condition("Suspended"));
        scene.checkpoint(true, "snapshot 9").decide();
        assertEquals(Phase.Suspending, scene.phase());
        assertEquals(6, scene.deletedNames().size());
    }

    @Test
    void aJobThatIsResumedWhilePodsAreDeletedWaitsForTheLastOfThem() {
        String spec =
                "checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}; daemons: {replicas: 3, standbys: 1}";
        Scene scene = Scene.running()
                .spec(spec + "; suspend: true")
                .checkpoint(true, "snapshot 7")
                .decide()
                .spec(spec)
                .decide();
        assertEquals(Phase.Suspending, scene.phase());
        assertEquals(List.of(), scene.created());
        scene.noPods().decide();
        assertEquals(Phase.Suspended, scene.phase());
        scene.decide();
        assertEquals(Phase.Forming, scene.phase());
        assertEquals(1, scene.actions(OperatorAction.ClearLeader.class).size());
        scene.decide();
        assertEquals(6, scene.created().size());
    }

    @Test
    void reportsOfWorkersThatAreBeingDeletedEndNoJob() {
        Scene scene = Scene.running()
                .spec(
                        "checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}; daemons: {replicas: 3, standbys: 1}; suspend: true")
                .checkpoint(true, "snapshot 7")
                .decide();
        assertEquals(Phase.Suspending, scene.phase());
        scene.ended(new JobReport.End.Failed("StateLost: everybody leaves")).decide();
        assertEquals(Phase.Suspending, scene.phase());
        scene.noPods().decide();
        assertEquals(Phase.Suspended, scene.phase());
    }

    @Test
    void theTimeOfTheNewestCheckpointIsPublishedAtALowRate() {
        Scene scene = Scene.running();
        Instant first = Instant.parse("2026-03-01T10:00:00Z");
        scene.kept(first).decide();
        assertEquals(first.toString(), scene.status().lastCheckpointTime());
        scene.kept(first.plusSeconds(29)).decide();
        assertEquals(first.toString(), scene.status().lastCheckpointTime());
        scene.kept(first.plusSeconds(30)).decide();
        assertEquals(first.plusSeconds(30).toString(), scene.status().lastCheckpointTime());
    }

    @Test
    void theEndIsPredictedWhileTheJobRuns() {
        Scene scene = Scene.running();
        Instant end = Instant.parse("2026-03-01T10:00:00Z");
        scene.predicted(end.plusMillis(400)).decide();
        assertEquals(end.toString(), scene.status().predictedCompletionTime());
        scene.ended(new JobReport.End.Certified(1e-5)).decide();
        assertNull(scene.status().predictedCompletionTime());
    }

    private static long events(Scene scene, EventReason reason) {
        return scene.actions(OperatorAction.PublishEvent.class).stream()
                .filter(event -> event.reason() == reason)
                .count();
    }

    @Test
    void aJobThatIsCreatedSuspendedHasNoPods() {
        Scene scene = new Scene("suspend: true").decide();
        assertEquals(Phase.Suspended, scene.phase());
        assertEquals(List.of(), scene.created());
    }

    @Test
    void lostWorkersDegradeARunningJob() {
        Scene scene = Scene.running().disappeared("heat-d-3").decide();
        assertEquals("True FewerDaemons", scene.condition("Degraded"));
        assertEquals("True EnoughDaemons", scene.condition("Ready"));
        scene.disappeared("heat-d-2").decide();
        assertEquals("False TooFewDaemons", scene.condition("Ready"));
        assertEquals(Phase.Running, scene.phase());
    }

    @Test
    void aConditionSaysThatWorkersDoNotKnowTheirZonesUntilTheyDo() {
        Scene scene = Scene.running().decide();
        assertEquals("", scene.condition("ZonesKnown"));
        scene.pod(AnyPod.daemon(3).zone(PodZone.UNREADABLE)).decide();
        assertEquals("False ZonesUnreadable", scene.condition("ZonesKnown"));
        scene.pod(AnyPod.daemon(2).zone(PodZone.HIDDEN)).decide();
        assertEquals("False ZonesHidden", scene.condition("ZonesKnown"));
        scene.pod(AnyPod.daemon(2).zone(PodZone.LABELED))
                .pod(AnyPod.daemon(3).zone(PodZone.LABELED))
                .decide();
        assertEquals("True ZonesLabeled", scene.condition("ZonesKnown"));
    }

    private static Replacements replaced(int voluntary, int disruption, int failure) {
        return new Replacements(voluntary + disruption + failure, voluntary, disruption, failure);
    }

    private static List<Phase> history(Scene scene) {
        return scene.status().stateTransitions().stream()
                .map(JobStatus.Transition::phase)
                .toList();
    }
}
