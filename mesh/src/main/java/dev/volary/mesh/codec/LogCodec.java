// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static dev.volary.mesh.codec.Shapes.each;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.message.Message;
import java.util.Optional;

/** The leader's log, to and from protobuf. */
final class LogCodec {
    private LogCodec() {}

    static Envelope.Builder write(Envelope.Builder envelope, LogMessage.Append write) {
        envelope.getLogWriteBuilder()
                .setTerm(write.term())
                .setAfter(write.after())
                .setPosition(write.position())
                .addAllRecords(each(write.records(), LogCodec::write));
        return envelope;
    }

    static Envelope.Builder write(Envelope.Builder envelope, LogMessage.Promise promised) {
        envelope.getLogPromisedBuilder()
                .setTerm(promised.term())
                .addAllRecords(each(promised.records(), LogCodec::write));
        return envelope;
    }

    static Message read(dev.volary.mesh.v1.LogWrite m) {
        return new LogMessage.Append(
                m.getTerm(), m.getAfter(), m.getPosition(), each(m.getRecordsList(), LogCodec::read));
    }

    static Message read(dev.volary.mesh.v1.LogPromised m) {
        return new LogMessage.Promise(m.getTerm(), each(m.getRecordsList(), LogCodec::read));
    }

    private static dev.volary.mesh.v1.LogRecord write(LogEntry record) {
        var builder = dev.volary.mesh.v1.LogRecord.newBuilder();
        switch (record) {
            case LogEntry.PlanMade made -> builder.setPlan(Shapes.write(made.plan()));
            case LogEntry.SnapshotVerdict verdict ->
                builder.getVerdictBuilder()
                        .setStep(verdict.step())
                        .setSid(verdict.sid())
                        .setResidual(verdict.residual())
                        .setCertified(verdict.certified())
                        .addAllParts(each(verdict.parts(), Shapes::write));
            case LogEntry.StepCommitted committed -> builder.setStep(Shapes.write(committed.record()));
            case LogEntry.VerdictWithdrawn withdrawn ->
                builder.getWithdrawnBuilder().setSid(withdrawn.sid());
            case LogEntry.ResultComplete complete ->
                builder.getCompleteBuilder().setSid(complete.sid());
            case LogEntry.JobGivenUp end -> {
                builder.getGivenUpBuilder().setSid(end.sid());
                end.reason().ifPresent(builder.getGivenUpBuilder()::setReason);
            }
        }
        return builder.build();
    }

    private static LogEntry read(dev.volary.mesh.v1.LogRecord record) {
        return switch (record.getRecordCase()) {
            case PLAN -> new LogEntry.PlanMade(Shapes.read(record.getPlan()));
            case VERDICT -> {
                var m = record.getVerdict();
                yield new LogEntry.SnapshotVerdict(
                        m.getStep(),
                        m.getSid(),
                        m.getResidual(),
                        m.getCertified(),
                        each(m.getPartsList(), Shapes::read));
            }
            case STEP -> new LogEntry.StepCommitted(Shapes.read(record.getStep()));
            case WITHDRAWN ->
                new LogEntry.VerdictWithdrawn(record.getWithdrawn().getSid());
            case COMPLETE -> new LogEntry.ResultComplete(record.getComplete().getSid());
            case GIVEN_UP -> {
                var m = record.getGivenUp();
                yield new LogEntry.JobGivenUp(
                        m.getSid(), m.hasReason() ? Optional.of(m.getReason()) : Optional.empty());
            }
            case RECORD_NOT_SET -> throw new IllegalArgumentException("log record is empty; use matching versions");
        };
    }
}
