// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.job.resource.JobStatus;
import dev.volary.operator.status.ConditionReason;
import dev.volary.operator.status.EventReason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShowFailedAttemptTest {
    private static final FailedAttempt FORBIDDEN = new FailedAttempt(
            ConditionReason.PollFailed, "secrets volary-heat-ca is forbidden after 12 ms; give the right");

    @Test
    void aJobThatNothingFailedForHasNoSuchCondition() {
        assertEquals("", Scene.running().condition("Reconciled"));
    }

    @Test
    void aFailureIsShownWithItsCauseAndPublishedOnce() {
        Scene scene = Scene.running().failed(FORBIDDEN).decide();
        assertEquals("False PollFailed", scene.condition("Reconciled"));
        assertEquals(FORBIDDEN.message(), scene.message("Reconciled"));
        assertEquals(
                List.of(new OperatorAction.PublishEvent(EventReason.ReconcileFailed, FORBIDDEN.message())),
                events(scene));
        assertEquals(List.of(), events(scene.decide()));
    }

    @Test
    void theSameCauseWithOtherNumbersChangesNothing() {
        Scene scene = Scene.running().failed(FORBIDDEN).decide();
        JobStatus before = scene.status();
        scene.failed(new FailedAttempt(
                        ConditionReason.PollFailed, "secrets volary-heat-ca is forbidden after 7 ms; give the right"))
                .after(Duration.ofMinutes(1))
                .decide();
        assertEquals(before, scene.status());
    }

    @Test
    void anotherCauseIsShownWithoutAnotherEvent() {
        Scene scene = Scene.running().failed(FORBIDDEN).decide();
        scene.failed(new FailedAttempt(ConditionReason.PassFailed, "quota exceeded"))
                .decide();
        assertEquals("False PassFailed", scene.condition("Reconciled"));
        assertEquals(List.of(), events(scene));
    }

    @Test
    void aNewOperatorBelievesTheConditionUntilItHasWorkedItself() {
        Scene scene = Scene.running().failed(FORBIDDEN).decide();
        scene.recovered(false).decide();
        assertEquals("False PollFailed", scene.condition("Reconciled"));
        scene.recovered(true).decide();
        assertEquals("True Reconciled", scene.condition("Reconciled"));
    }

    @Test
    void eachEpisodeIsPublishedOnce() {
        Scene scene = Scene.running().failed(FORBIDDEN).decide().recovered(true).decide();
        scene.failed(FORBIDDEN).decide();
        assertEquals(
                List.of(new OperatorAction.PublishEvent(EventReason.ReconcileFailed, FORBIDDEN.message())),
                events(scene));
    }

    private static List<OperatorAction.PublishEvent> events(Scene scene) {
        return scene.actions(OperatorAction.PublishEvent.class).stream()
                .filter(event -> event.reason() == EventReason.ReconcileFailed)
                .toList();
    }
}
