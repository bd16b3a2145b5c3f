// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.description;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.spec.GroupBound;
import dev.volary.job.spec.JobSpec;
import dev.volary.mesh.codec.MessageCodec;
import dev.volary.mesh.transport.Transport;
import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The largest job that the rules of a manifest allow. */
class LargestJobTest {
    /** The maximum of {@code spec.daemons.replicas}. */
    private static final int DAEMONS = 10_000;

    private static final int MANY = Integer.MAX_VALUE;
    private static final GroupTerm TERM = new GroupTerm(MANY, new WorkerId(Long.MAX_VALUE));

    /** What a spawner answers that wants to lead: the newest entry of each kind, with what each says of every block. */
    @Test
    void itsLogFitsOneControlMessage() {
        List<SnapshotMessage.StoredPart> parts = IntStream.range(0, JobSpec.BLOCKS_MAX)
                .mapToObj(block ->
                        new SnapshotMessage.StoredPart(new RecordedBlock(block, new Incarnation(TERM, MANY), -1), -1))
                .toList();
        List<LogEntry> log = List.of(
                new LogEntry.PlanMade(plan()),
                new LogEntry.SnapshotVerdict(MANY, Long.MAX_VALUE, 1, true, Long.MAX_VALUE, parts),
                new LogEntry.VerdictWithdrawn(Long.MAX_VALUE),
                new LogEntry.ResultComplete(Long.MAX_VALUE),
                new LogEntry.StepCommitted(new CommittedStep(MANY, Long.MAX_VALUE, 1, parts)),
                new LogEntry.JobGivenUp(Long.MAX_VALUE, Optional.of("the disk is full")));
        int bytes = MessageCodec.write(Envelope.newBuilder(), new LogMessage.Promise(Long.MAX_VALUE, log))
                .build()
                .getSerializedSize();
        assertTrue(bytes <= Transport.CONTROL_BYTES_MAX, () -> bytes + " of " + Transport.CONTROL_BYTES_MAX);
    }

    private static TakeoverMessage.Plan plan() {
        int groups = GroupBound.usual(DAEMONS);
        List<TakeoverMessage.GroupPlan> plan = new ArrayList<>();
        for (int group = 0; group < groups; group++) {
            plan.add(new TakeoverMessage.GroupPlan(
                    TERM,
                    new Member(
                            new WorkerId(Long.MAX_VALUE - group),
                            WorkerRole.SPAWNER,
                            "s".repeat(63),
                            new Address("fd00::1234:5678:9abc:def0", 7400),
                            "n".repeat(253),
                            "z".repeat(63),
                            MANY,
                            Long.MAX_VALUE),
                    IntStream.range(JobSpec.BLOCKS_MAX * group / groups, JobSpec.BLOCKS_MAX * (group + 1) / groups)
                            .boxed()
                            .toList(),
                    GroupBound.DAEMONS));
        }
        return new TakeoverMessage.Plan(Long.MAX_VALUE, plan);
    }
}
