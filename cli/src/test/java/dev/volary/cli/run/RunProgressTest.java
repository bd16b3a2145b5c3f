// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.cli.chaos.ChaosPlan.Fault;
import dev.volary.cli.check.JobPreflight;
import dev.volary.cli.check.ProblemCatalogue;
import dev.volary.cli.display.JobView;
import dev.volary.cli.display.JobView.DaemonRow;
import dev.volary.cli.display.JobView.DaemonState;
import dev.volary.cli.local.ProcessEvent;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.message.ProgressMessage.DaemonReport;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.FailureVerdict.Cause;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The texts about failures: a job of two daemons, one spawner and a standby. */
class RunProgressTest {
    private static final Map<WorkerId, String> NAMES =
            Map.of(new WorkerId(1), "daemon-0", new WorkerId(2), "daemon-1", new WorkerId(3), "daemon-2");

    @TempDir
    Path folder;

    private RunProgress progress;

    @BeforeEach
    void threeWorkersAreUp() throws Exception {
        progress = open();
        up(9, WorkerRole.SPAWNER, "spawner-0");
        up(1, WorkerRole.DAEMON, "daemon-0");
        up(2, WorkerRole.DAEMON, "daemon-1");
    }

    private RunProgress open() throws Exception {
        Path file = Files.writeString(folder.resolve("job.yaml"), """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: chain}
                spec:
                  problem: {type: test-chain}
                  daemons: {replicas: 2, standbys: 1}
                  spawners: {replicas: 1}
                """);
        return new RunProgress(JobPreflight.check(file, ProblemCatalogue.load()));
    }

    @Test
    void aWorkerThatEndsEarlyIsNotCountedWithThoseThatAreUp() throws Exception {
        progress = open();
        up(9, WorkerRole.SPAWNER, "spawner-0");
        up(1, WorkerRole.DAEMON, "daemon-0");
        progress.take(new ProcessEvent.Ended("daemon-0", 76, 1, false, Path.of("d.log")), at(1));
        up(2, WorkerRole.DAEMON, "daemon-1");
        assertEquals(JobView.Phase.STARTING, progress.view().phase());
        up(3, WorkerRole.DAEMON, "daemon-2");
        assertEquals(JobView.Phase.PLANNING, progress.view().phase());
        assertEquals("3 workers are ready", texts(progress).getLast());
    }

    @Test
    void aCrashIsReportedFromTheFaultToTheRestoredBlock() {
        report(2, 1, 500, 0.5, 900);
        progress.take(new ProcessEvent.FaultInjected("daemon-1", 77, Fault.KILL), at(1000));
        progress.take(new ProcessEvent.Ended("daemon-1", 77, 137, true, Path.of("d.log")), at(1002));
        List<EventRecord> lost = take(
                new JobEvent.DaemonLost(
                        new WorkerId(2), Cause.DEAD, Duration.ofMillis(180).toNanos(), List.of(1)),
                1200);
        up(3, WorkerRole.DAEMON, "daemon-2");
        progress.take(new ProcessEvent.Joined("daemon-2", "zone-1", Optional.of("daemon-1")), at(1300));
        take(new JobEvent.BlocksReassigned(new WorkerId(3), List.of(1)), 1300);
        List<EventRecord> recovered = report(3, 2, 450, 0.5, 1500);
        assertEquals(
                List.of(
                        "3 workers are ready",
                        "fault injection killed daemon-1",
                        "daemon-1 (pid 77) ended with status 137",
                        "daemon-1 is declared dead, silent for 180 ms; it served blocks [1]",
                        "daemon-2 replaces daemon-1",
                        "daemon-2 is assigned blocks [1]",
                        "block 1 iterates again on daemon-2, from iteration 450; it stood still for 500 ms and lost about 50 iterations"),
                texts(progress));
        assertEquals(200.0, lost.getFirst().details().get("noticed_after_ms"));
        assertEquals(180.0, lost.getFirst().details().get("silent_ms"));
        assertEquals("block-recovered", recovered.getFirst().type());
        assertEquals(500.0, recovered.getFirst().details().get("stood_still_ms"));
        // What was restored had been computed by the lost daemon.
        assertEquals(500, progress.iterations());
        assertEquals(1, progress.failures().provoked());
    }

    @Test
    void aLostDaemonKeepsItsLineForAWhile() {
        progress.take(new ProcessEvent.Ended("daemon-1", 77, 1, false, Path.of("d.log")), System.nanoTime());
        assertEquals(
                List.of(DaemonState.WAITING, DaemonState.LOST),
                progress.view().daemons().stream().map(DaemonRow::state).toList());
        progress.take(
                new ProcessEvent.Ended("daemon-0", 76, 1, false, Path.of("d.log")),
                System.nanoTime() - Duration.ofSeconds(11).toNanos());
        assertEquals(
                List.of("daemon-1"),
                progress.view().daemons().stream().map(DaemonRow::name).toList());
    }

    @Test
    void anUnprovokedEndIsHighlightedAndNamesTheLog() {
        progress.take(new ProcessEvent.Ended("daemon-1", 77, 1, false, Path.of("d.log")), at(1));
        assertEquals(
                "daemon-1 (pid 77) ended with status 1; see its log d.log",
                texts(progress).getLast());
        assertTrue(progress.view().events().getLast().isProblem());
    }

    @Test
    void aWorkerThatRunsOutOfMemoryDoesNotCountAsEvicted() {
        EventRecord record = progress.take(new ProcessEvent.Ended("daemon-1", 77, 3, false, Path.of("d.log")), at(1));
        assertEquals(
                "daemon-1 (pid 77) ended with status 3, out of memory; see its log d.log",
                texts(progress).getLast());
        assertTrue(progress.view().events().getLast().isProblem());
        assertEquals(false, record.details().get("evicted"));
    }

    @Test
    void anEvictedWorkerRestartsWithoutAWarning() {
        EventRecord record = progress.take(
                new ProcessEvent.Ended("daemon-1", 77, ProcessEvent.Ended.EVICTED, false, Path.of("d.log")), at(1));
        assertEquals(
                "daemon-1 (pid 77) was evicted and restarts with a new identity",
                texts(progress).getLast());
        assertTrue(!progress.view().events().getLast().isProblem());
        assertEquals(true, record.details().get("evicted"));
    }

    @Test
    void whatWasShownIsForgotten() {
        take(new JobEvent.SnapshotClosed(1, 0.5, 1, 40, 0), 1);
        assertEquals(1, progress.view().snapshots().size());
        progress.shown();
        take(new JobEvent.SnapshotClosed(2, 0.25, 1, 80, 0), 2);
        JobView view = progress.view();
        assertEquals(List.of(), view.events());
        assertEquals(
                List.of(2L),
                view.snapshots().stream().map(JobView.SnapshotPoint::snapshot).toList());
        assertEquals(2, view.history().size());
        assertEquals(2, progress.snapshots());
    }

    @Test
    void recordedIterationsCountThatTheLeaderHasNotHeardOf() {
        report(2, 1, 5, 0.5, 900);
        progress.recorded(new DaemonReport(new WorkerId(2), List.of(block(1, 36, 0.5))));
        assertEquals(36, progress.iterations());
        progress.recorded(new DaemonReport(new WorkerId(2), List.of(block(1, 30, 0.5))));
        assertEquals(36, progress.iterations());
    }

    private void up(long id, WorkerRole role, String name) {
        progress.ready(new Member(new WorkerId(id), role, name, new Address("127.0.0.1", 1), "127.0.0.1", "", 1, 1));
    }

    private List<EventRecord> report(long daemon, int counter, long iteration, double hint, long millis) {
        BlockProgress block = block(counter, iteration, hint);
        return take(new JobEvent.Progress(List.of(new DaemonReport(new WorkerId(daemon), List.of(block)))), millis);
    }

    private static BlockProgress block(int counter, long iteration, double hint) {
        return new BlockProgress(
                1, new Incarnation(new GroupTerm(1, new WorkerId(9)), counter), iteration, 0, hint, 0, 0);
    }

    private List<EventRecord> take(JobEvent event, long millis) {
        return progress.take(event, NAMES, at(millis));
    }

    private static List<String> texts(RunProgress progress) {
        return progress.view().events().stream().map(JobView.JobEvent::text).toList();
    }

    private static long at(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
