// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static dev.volary.mesh.codec.Shapes.each;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.MembershipMessage.Evidence;
import dev.volary.protocol.message.MembershipMessage.Suspicion;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.IterationCounter;
import dev.volary.protocol.model.WorkerId;

/** Failure detection, and the lists of members, to and from the payload of an {@link Envelope}. */
final class MembershipCodec {
    private MembershipCodec() {}

    /** Sets the payload. */
    static void write(Envelope.Builder envelope, MembershipMessage message) {
        switch (message) {
            case MembershipMessage.MemberListUpdate m ->
                envelope.getMemberListUpdateBuilder()
                        .setVersion(m.version())
                        .setOwner(m.owner().value())
                        .addAllMembers(each(m.members(), Shapes::write));
            case MembershipMessage.MemberListAck m ->
                envelope.getMemberListAckBuilder().setVersion(m.version());
            case MembershipMessage.Heartbeat m ->
                envelope.getHeartbeatBuilder()
                        .setIntervalNanos(m.intervalNanos())
                        .setLeaving(m.leaving())
                        .setDelayNanos(m.delayNanos())
                        .addAllCounters(each(m.counters(), MembershipCodec::write));
            case MembershipMessage.Probe m ->
                envelope.getProbeBuilder().setSuspect(m.suspect().value());
            case MembershipMessage.ProbeAnswer m ->
                envelope.getProbeAnswerBuilder()
                        .setSuspect(m.suspect().value())
                        .setSilentNanos(m.silentNanos())
                        .setRefused(m.refused())
                        .setDelayNanos(m.delayNanos());
            case MembershipMessage.Refutation m -> envelope.getRefutationBuilder();
            case MembershipMessage.Suspicions m ->
                envelope.getSuspicionsBuilder().addAllSuspicions(each(m.suspicions(), MembershipCodec::write));
            case MembershipMessage.Departing m -> envelope.getDepartingBuilder();
            case MembershipMessage.VerdictAnnouncement m ->
                envelope.getVerdictAnnouncementBuilder().addAllVerdicts(each(m.verdicts(), MembershipCodec::write));
        }
    }

    /**
     * The payload.
     *
     * @throws IllegalArgumentException if it is of another topic, or cannot be
     */
    static Message read(Envelope envelope) {
        return switch (envelope.getPayloadCase()) {
            case MEMBER_LIST_UPDATE -> {
                var m = envelope.getMemberListUpdate();
                yield new MembershipMessage.MemberListUpdate(
                        m.getVersion(), new WorkerId(m.getOwner()), each(m.getMembersList(), Shapes::read));
            }
            case MEMBER_LIST_ACK ->
                new MembershipMessage.MemberListAck(envelope.getMemberListAck().getVersion());
            case HEARTBEAT -> {
                var m = envelope.getHeartbeat();
                yield new MembershipMessage.Heartbeat(
                        m.getIntervalNanos(),
                        m.getLeaving(),
                        each(m.getCountersList(), MembershipCodec::read),
                        m.getDelayNanos());
            }
            case PROBE ->
                new MembershipMessage.Probe(new WorkerId(envelope.getProbe().getSuspect()));
            case PROBE_ANSWER -> {
                var m = envelope.getProbeAnswer();
                yield new MembershipMessage.ProbeAnswer(
                        new WorkerId(m.getSuspect()), m.getSilentNanos(), m.getRefused(), m.getDelayNanos());
            }
            case REFUTATION -> new MembershipMessage.Refutation();
            case SUSPICIONS ->
                new MembershipMessage.Suspicions(
                        each(envelope.getSuspicions().getSuspicionsList(), MembershipCodec::read));
            case DEPARTING -> new MembershipMessage.Departing();
            case VERDICT_ANNOUNCEMENT ->
                new MembershipMessage.VerdictAnnouncement(
                        each(envelope.getVerdictAnnouncement().getVerdictsList(), MembershipCodec::read));
            default ->
                throw new IllegalArgumentException(
                        "payload is " + envelope.getPayloadCase() + ", which is no membership message");
        };
    }

    private static dev.volary.mesh.v1.IterationCounter write(IterationCounter counter) {
        return dev.volary.mesh.v1.IterationCounter.newBuilder()
                .setBlock(counter.block())
                .setIteration(counter.iteration())
                .setWaiting(counter.waiting())
                .build();
    }

    private static IterationCounter read(dev.volary.mesh.v1.IterationCounter counter) {
        return new IterationCounter(counter.getBlock(), counter.getIteration(), counter.getWaiting());
    }

    private static dev.volary.mesh.v1.Suspicion write(Suspicion suspicion) {
        return dev.volary.mesh.v1.Suspicion.newBuilder()
                .setMember(suspicion.member().value())
                .setEvidence(
                        switch (suspicion.evidence()) {
                            case SILENT -> dev.volary.mesh.v1.Evidence.EVIDENCE_SILENT;
                            case REFUSED -> dev.volary.mesh.v1.Evidence.EVIDENCE_REFUSED;
                            case HINTED -> dev.volary.mesh.v1.Evidence.EVIDENCE_HINTED;
                            case STUCK -> dev.volary.mesh.v1.Evidence.EVIDENCE_STUCK;
                            case LEFT -> dev.volary.mesh.v1.Evidence.EVIDENCE_LEFT;
                        })
                .setSilentNanos(suspicion.silentNanos())
                .setDelayNanos(suspicion.delayNanos())
                .build();
    }

    private static Suspicion read(dev.volary.mesh.v1.Suspicion suspicion) {
        Evidence evidence =
                switch (suspicion.getEvidence()) {
                    case EVIDENCE_SILENT -> Evidence.SILENT;
                    case EVIDENCE_REFUSED -> Evidence.REFUSED;
                    case EVIDENCE_HINTED -> Evidence.HINTED;
                    case EVIDENCE_STUCK -> Evidence.STUCK;
                    case EVIDENCE_LEFT -> Evidence.LEFT;
                    case EVIDENCE_UNSPECIFIED, UNRECOGNIZED ->
                        throw new IllegalArgumentException(
                                "evidence is " + suspicion.getEvidence() + ", must be one of those listed");
                };
        return new Suspicion(
                new WorkerId(suspicion.getMember()), evidence, suspicion.getSilentNanos(), suspicion.getDelayNanos());
    }

    private static dev.volary.mesh.v1.Verdict write(FailureVerdict verdict) {
        return dev.volary.mesh.v1.Verdict.newBuilder()
                .setMember(verdict.member().value())
                .setCause(
                        switch (verdict.cause()) {
                            case DEAD -> dev.volary.mesh.v1.Cause.CAUSE_DEAD;
                            case STUCK -> dev.volary.mesh.v1.Cause.CAUSE_STUCK;
                            case LEFT -> dev.volary.mesh.v1.Cause.CAUSE_LEFT;
                        })
                .setSilentNanos(verdict.silentNanos())
                .build();
    }

    private static FailureVerdict read(dev.volary.mesh.v1.Verdict verdict) {
        FailureVerdict.Cause cause =
                switch (verdict.getCause()) {
                    case CAUSE_DEAD -> FailureVerdict.Cause.DEAD;
                    case CAUSE_STUCK -> FailureVerdict.Cause.STUCK;
                    case CAUSE_LEFT -> FailureVerdict.Cause.LEFT;
                    case CAUSE_UNSPECIFIED, UNRECOGNIZED ->
                        throw new IllegalArgumentException(
                                "cause is " + verdict.getCause() + ", must be dead, stuck or left");
                };
        return new FailureVerdict(new WorkerId(verdict.getMember()), cause, verdict.getSilentNanos());
    }
}
