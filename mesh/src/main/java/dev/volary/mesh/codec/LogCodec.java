// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static dev.volary.mesh.codec.Shapes.each;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.KeptAnswer;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.message.Message;
import java.util.Optional;

/** The leader's log, to and from the payload of an {@link Envelope}. */
final class LogCodec {
    private LogCodec() {}

    /** Sets the payload. */
    static void write(Envelope.Builder envelope, LogMessage message) {
        switch (message) {
            case LogMessage.Append m ->
                envelope.getAppendBuilder()
                        .setTerm(m.term())
                        .setAfter(m.after())
                        .setPosition(m.position())
                        .addAllRecords(each(m.records(), LogCodec::write));
            case LogMessage.AppendAck m ->
                envelope.getAppendAckBuilder().setTerm(m.term()).setPosition(m.position());
            case LogMessage.Prepare m -> envelope.getPrepareBuilder().setTerm(m.term());
            case LogMessage.Promise m ->
                envelope.getPromiseBuilder().setTerm(m.term()).addAllRecords(each(m.records(), LogCodec::write));
            case LogMessage.PrepareRejected m ->
                envelope.getPrepareRejectedBuilder().setPromised(m.promised());
        }
    }

    /**
     * The payload.
     *
     * @throws IllegalArgumentException if it is of another topic, or cannot be
     */
    static Message read(Envelope envelope) {
        return switch (envelope.getPayloadCase()) {
            case APPEND -> {
                var m = envelope.getAppend();
                yield new LogMessage.Append(
                        m.getTerm(), m.getAfter(), m.getPosition(), each(m.getRecordsList(), LogCodec::read));
            }
            case APPEND_ACK -> {
                var m = envelope.getAppendAck();
                yield new LogMessage.AppendAck(m.getTerm(), m.getPosition());
            }
            case PREPARE -> new LogMessage.Prepare(envelope.getPrepare().getTerm());
            case PROMISE -> {
                var m = envelope.getPromise();
                yield new LogMessage.Promise(m.getTerm(), each(m.getRecordsList(), LogCodec::read));
            }
            case PREPARE_REJECTED ->
                new LogMessage.PrepareRejected(envelope.getPrepareRejected().getPromised());
            default ->
                throw new IllegalArgumentException(
                        "payload is " + envelope.getPayloadCase() + ", which is no log message");
        };
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
                        .setIterations(verdict.iterations())
                        .addAllParts(each(verdict.parts(), Shapes::write));
            case LogEntry.StepCommitted committed -> builder.setStep(Shapes.write(committed.record()));
            case LogEntry.AnswerKept(KeptAnswer answer) ->
                builder.getAnswerBuilder()
                        .setSid(answer.sid())
                        .setResidual(answer.residual())
                        .setIterations(answer.iterations())
                        .addAllParts(each(answer.parts(), Shapes::write));
            case LogEntry.TimeUsed(long nanos) -> builder.getTimeUsedBuilder().setNanos(nanos);
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
                        m.getIterations(),
                        each(m.getPartsList(), Shapes::read));
            }
            case STEP -> new LogEntry.StepCommitted(Shapes.read(record.getStep()));
            case ANSWER -> {
                var m = record.getAnswer();
                yield new LogEntry.AnswerKept(new KeptAnswer(
                        m.getSid(), m.getResidual(), m.getIterations(), each(m.getPartsList(), Shapes::read)));
            }
            case TIME_USED -> new LogEntry.TimeUsed(record.getTimeUsed().getNanos());
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
