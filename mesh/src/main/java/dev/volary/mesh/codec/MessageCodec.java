// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static dev.volary.mesh.codec.Shapes.each;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.BackupMessage;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.message.Stop;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.WorkerId;
import java.util.Optional;

/** Control messages to and from the payload of an {@link Envelope}. */
public final class MessageCodec {
    private MessageCodec() {}

    /** Sets the payload. */
    public static Envelope.Builder write(Envelope.Builder envelope, Message message) {
        return switch (message) {
            case RegistrationMessage.Register m -> {
                envelope.getRegisterBuilder()
                        .setDaemon(Shapes.write(m.daemon()))
                        .setOwner(m.owner().map(WorkerId::value).orElse(0L));
                yield envelope;
            }
            case RegistrationMessage.Registered m -> {
                envelope.getRegisteredBuilder().setTerm(Shapes.write(m.term()));
                yield envelope;
            }
            case RegistrationMessage.RegisterElsewhere m -> {
                envelope.getTryElsewhereBuilder().setSpawner(Shapes.write(m.spawner()));
                yield envelope;
            }
            case ProgressMessage.GroupReport m -> {
                envelope.getGroupReportBuilder()
                        .setSpawner(Shapes.write(m.spawner()))
                        .addAllDaemons(each(m.daemons(), Shapes::write))
                        .addAllHeld(each(m.held(), Shapes::write));
                yield envelope;
            }
            case TakeoverMessage.Plan m -> envelope.setPlan(Shapes.write(m));
            case BlockMessage.Assign m -> {
                envelope.getAssignBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .addAllBlocks(each(m.blocks(), Shapes::write))
                        .addAllCopies(each(m.copies(), Shapes::write));
                yield envelope;
            }
            case BlockMessage.DirectoryUpdate m -> {
                envelope.getRegisterUpdateBuilder()
                        .setVersion(m.version())
                        .addAllEntries(each(m.entries(), Shapes::write));
                yield envelope;
            }
            case BackupMessage.HolderReport m -> {
                envelope.getHoldingBuilder()
                        .setHolder(Shapes.write(m.holder()))
                        .setCopies(m.copies())
                        .setVersion(m.version())
                        .setRehearsed(m.rehearsed());
                yield envelope;
            }
            case BackupMessage.HolderListUpdate m -> {
                envelope.getHoldersBuilder().setVersion(m.version()).addAllHolders(each(m.holders(), Shapes::write));
                yield envelope;
            }
            case BackupMessage.BuddyHolders m -> {
                envelope.getBuddyHoldersBuilder().setAsks(m.asks()).addAllGroups(each(m.groups(), Shapes::write));
                yield envelope;
            }
            case BlockMessage.DirectoryAck m -> {
                envelope.getRegisterHeardBuilder().setVersion(m.version());
                yield envelope;
            }
            case BlockMessage.DirectoryRequest m -> {
                envelope.getRegisterRequestBuilder().addAllBlocks(m.blocks());
                yield envelope;
            }
            case RegistrationMessage.Leaving m -> {
                envelope.getLeavingBuilder().setDaemon(m.daemon().value()).addAllBusy(m.busy());
                yield envelope;
            }
            case RegistrationMessage.Evicted m -> {
                envelope.getDismissedBuilder();
                yield envelope;
            }
            case BlockMessage.BlockMoved m -> {
                envelope.getMovedBuilder().setEntry(Shapes.write(m.entry()));
                yield envelope;
            }
            case BlockMessage.BlockHello m -> {
                envelope.getBlockHelloBuilder()
                        .setFrom(m.from())
                        .setIncarnation(Shapes.write(m.incarnation()))
                        .setTo(m.to());
                yield envelope;
            }
            case BlockMessage.StaleIncarnation m -> {
                envelope.getFencedBuilder().setBlock(m.block()).setNewest(Shapes.write(m.newest()));
                yield envelope;
            }
            case BlockMessage.HaloRequest m -> {
                envelope.getHaloRequestBuilder()
                        .setFrom(m.from())
                        .setTo(m.to())
                        .setStep(m.step())
                        .setIteration(m.iteration());
                yield envelope;
            }
            case ProgressMessage.DaemonReport m -> envelope.setDaemonReport(Shapes.write(m));
            case ProgressMessage.GroupProgress m -> {
                envelope.getGroupProgressBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .addAllDaemons(each(m.daemons(), Shapes::write));
                yield envelope;
            }
            case BlockMessage.BlockFailed m -> {
                envelope.getBlockFailedBuilder()
                        .setBlock(m.block())
                        .setIncarnation(Shapes.write(m.incarnation()))
                        .setReason(m.reason())
                        .setFatal(m.fatal());
                yield envelope;
            }
            case SnapshotMessage.RecordBlocks m -> {
                envelope.getSnapshotRequestBuilder().setStep(m.step()).setSid(m.sid());
                yield envelope;
            }
            case SnapshotMessage.SnapshotHaloRequest m -> {
                envelope.getSnapshotHaloRequestBuilder()
                        .setSid(m.sid())
                        .setFrom(m.from())
                        .setTo(m.to());
                yield envelope;
            }
            case SnapshotMessage.SnapshotPart m -> {
                envelope.getSnapshotPartBuilder()
                        .setSid(m.sid())
                        .setOwn(Shapes.write(m.own()))
                        .addAllUsed(each(m.used(), Shapes::write))
                        .setResidual(Shapes.write(m.residual()))
                        .setCostNanos(m.costNanos());
                yield envelope;
            }
            case SnapshotMessage.SnapshotGroupPart m -> {
                envelope.getSnapshotGroupPartBuilder()
                        .setSid(m.sid())
                        .setTerm(Shapes.write(m.term()))
                        .setBlocks(m.blocks())
                        .addAllBoundary(each(m.boundary(), Shapes::write))
                        .addAllUsed(each(m.used(), Shapes::write))
                        .addAllBroken(m.broken())
                        .setResidual(Shapes.write(m.residual()))
                        .setDigest(m.digest())
                        .setCostNanos(m.costNanos());
                yield envelope;
            }
            case SnapshotMessage.Reevaluate m -> {
                envelope.getSnapshotRecheckBuilder().setSid(m.sid()).addAllTruth(each(m.truth(), Shapes::write));
                yield envelope;
            }
            case SnapshotMessage.Aborted m -> {
                envelope.getSnapshotBrokenBuilder().setSid(m.sid()).setTerm(Shapes.write(m.term()));
                yield envelope;
            }
            case SnapshotMessage.Discard m -> {
                envelope.getSnapshotContinueBuilder().setSid(m.sid()).setResidual(m.residual());
                yield envelope;
            }
            case SnapshotMessage.SnapshotStore m -> {
                envelope.getSnapshotStoreBuilder().setSid(m.sid());
                yield envelope;
            }
            case SnapshotMessage.SnapshotStored m -> {
                envelope.getSnapshotStoredBuilder()
                        .setSid(m.sid())
                        .setPart(Shapes.write(m.part()))
                        .setChecksum(m.checksum());
                yield envelope;
            }
            case SnapshotMessage.SnapshotGroupStored m -> {
                envelope.getSnapshotGroupStoredBuilder()
                        .setSid(m.sid())
                        .setTerm(Shapes.write(m.term()))
                        .addAllParts(each(m.parts(), Shapes::write));
                yield envelope;
            }
            case SnapshotMessage.StoreFailed m -> {
                envelope.getStoreFailedBuilder()
                        .setSid(m.sid())
                        .setBlock(m.block())
                        .setReason(m.reason());
                yield envelope;
            }
            case Stop m -> {
                m.reason().ifPresentOrElse(envelope.getStopBuilder()::setReason, envelope::getStopBuilder);
                yield envelope;
            }
            case RollbackMessage m -> InStepCodec.write(envelope, m);
            case DetectionMessage m -> InStepCodec.write(envelope, m);
            case MembershipMessage.MemberListUpdate m -> {
                envelope.getWatchedBuilder()
                        .setVersion(m.version())
                        .setOwner(m.owner().value())
                        .addAllMembers(each(m.members(), Shapes::write));
                yield envelope;
            }
            case MembershipMessage.MemberListAck m -> {
                envelope.getWatchedHeardBuilder().setVersion(m.version());
                yield envelope;
            }
            case RegistrationMessage.SpawnerLost m -> {
                envelope.getOrphanedBuilder()
                        .setDaemon(Shapes.write(m.daemon()))
                        .setSpawner(m.spawner().value());
                yield envelope;
            }
            case StepMessage.StepCommit m -> {
                envelope.getStepCommitBuilder().setRecord(Shapes.write(m.record()));
                yield envelope;
            }
            case StepMessage.KnownSteps m -> {
                var known = envelope.getStepsKnownBuilder();
                m.newest().map(Shapes::write).ifPresent(known::setNewest);
                m.stored().map(Shapes::write).ifPresent(known::setStored);
                yield envelope;
            }
            case TakeoverMessage.DirectoryReplica m -> GroupCodec.write(envelope, m);
            case TakeoverMessage.DirectoryReplicaAck m -> GroupCodec.write(envelope, m);
            case TakeoverMessage.OwnershipClaim m -> GroupCodec.write(envelope, m);
            case TakeoverMessage.OwnershipClaimAck m -> GroupCodec.write(envelope, m);
            case RegistrationMessage.GroupAdopted m -> GroupCodec.write(envelope, m);
            case RegistrationMessage.TransferDaemon m -> GroupCodec.write(envelope, m);
            case TakeoverMessage.BlocksOffered m -> GroupCodec.write(envelope, m);
            case LogMessage.Append m -> LogCodec.write(envelope, m);
            case LogMessage.AppendAck m -> {
                envelope.getLogWrittenBuilder().setTerm(m.term()).setPosition(m.position());
                yield envelope;
            }
            case LogMessage.Prepare m -> {
                envelope.getLogPromiseBuilder().setTerm(m.term());
                yield envelope;
            }
            case LogMessage.Promise m -> LogCodec.write(envelope, m);
            case LogMessage.PrepareRejected m -> {
                envelope.getLogRefusedBuilder().setPromised(m.promised());
                yield envelope;
            }
            case MembershipMessage.PeerMessage m -> WatchCodec.write(envelope, m);
        };
    }

    /**
     * The payload; empty if the envelope only acknowledges.
     *
     * @throws IllegalArgumentException if the payload cannot be, such as a node id of 0
     */
    public static Optional<Message> read(Envelope envelope) {
        return switch (envelope.getPayloadCase()) {
            case REGISTER ->
                Optional.of(new RegistrationMessage.Register(
                        Shapes.read(envelope.getRegister().getDaemon()),
                        Optional.of(envelope.getRegister().getOwner())
                                .filter(owner -> owner != 0)
                                .map(WorkerId::new)));
            case REGISTERED ->
                Optional.of(new RegistrationMessage.Registered(
                        Shapes.read(envelope.getRegistered().getTerm())));
            case TRY_ELSEWHERE ->
                Optional.of(new RegistrationMessage.RegisterElsewhere(
                        Shapes.read(envelope.getTryElsewhere().getSpawner())));
            case GROUP_REPORT -> {
                var m = envelope.getGroupReport();
                yield Optional.of(new ProgressMessage.GroupReport(
                        Shapes.read(m.getSpawner()),
                        each(m.getDaemonsList(), Shapes::read),
                        each(m.getHeldList(), Shapes::read)));
            }
            case PLAN -> Optional.of(Shapes.read(envelope.getPlan()));
            case ASSIGN -> {
                var m = envelope.getAssign();
                yield Optional.of(new BlockMessage.Assign(
                        Shapes.read(m.getTerm()),
                        each(m.getBlocksList(), Shapes::read),
                        each(m.getCopiesList(), Shapes::read)));
            }
            case REGISTER_UPDATE -> {
                var m = envelope.getRegisterUpdate();
                yield Optional.of(
                        new BlockMessage.DirectoryUpdate(m.getVersion(), each(m.getEntriesList(), Shapes::read)));
            }
            case HOLDING -> {
                var m = envelope.getHolding();
                yield Optional.of(new BackupMessage.HolderReport(
                        Shapes.read(m.getHolder()), m.getCopies(), m.getVersion(), m.getRehearsed()));
            }
            case HOLDERS -> {
                var m = envelope.getHolders();
                yield Optional.of(
                        new BackupMessage.HolderListUpdate(m.getVersion(), each(m.getHoldersList(), Shapes::read)));
            }
            case BUDDY_HOLDERS -> {
                var m = envelope.getBuddyHolders();
                yield Optional.of(new BackupMessage.BuddyHolders(m.getAsks(), each(m.getGroupsList(), Shapes::read)));
            }
            case REGISTER_HEARD ->
                Optional.of(new BlockMessage.DirectoryAck(
                        envelope.getRegisterHeard().getVersion()));
            case REGISTER_REQUEST ->
                Optional.of(new BlockMessage.DirectoryRequest(
                        envelope.getRegisterRequest().getBlocksList()));
            case LEAVING -> {
                var m = envelope.getLeaving();
                yield Optional.of(new RegistrationMessage.Leaving(new WorkerId(m.getDaemon()), m.getBusyList()));
            }
            case WATCHED -> {
                var m = envelope.getWatched();
                yield Optional.of(new MembershipMessage.MemberListUpdate(
                        m.getVersion(), new WorkerId(m.getOwner()), each(m.getMembersList(), Shapes::read)));
            }
            case WATCHED_HEARD ->
                Optional.of(new MembershipMessage.MemberListAck(
                        envelope.getWatchedHeard().getVersion()));
            case ORPHANED -> {
                var m = envelope.getOrphaned();
                yield Optional.of(
                        new RegistrationMessage.SpawnerLost(Shapes.read(m.getDaemon()), new WorkerId(m.getSpawner())));
            }
            case DISMISSED -> Optional.of(new RegistrationMessage.Evicted());
            case MOVED ->
                Optional.of(new BlockMessage.BlockMoved(
                        Shapes.read(envelope.getMoved().getEntry())));
            case BLOCK_HELLO -> {
                var m = envelope.getBlockHello();
                yield Optional.of(new BlockMessage.BlockHello(m.getFrom(), Shapes.read(m.getIncarnation()), m.getTo()));
            }
            case FENCED -> {
                var m = envelope.getFenced();
                yield Optional.of(new BlockMessage.StaleIncarnation(m.getBlock(), Shapes.read(m.getNewest())));
            }
            case VOTE -> Optional.of(VoteCodec.read(envelope.getVote()));
            case VOTE_HEARD ->
                Optional.of(new DetectionMessage.VoteAck(
                        VoteCodec.read(envelope.getVoteHeard().getVote())));
            case CLAIM ->
                Optional.of(new DetectionMessage.ConvergenceClaim(
                        envelope.getClaim().getPhase()));
            case CHECKPOINT_DUE,
                    CHECKPOINT_AT,
                    CHECKPOINT_TAKEN,
                    GROUP_CHECKPOINT,
                    ROLLBACK_DUE,
                    ROLLBACK,
                    HELD_GENERATIONS,
                    GROUP_GENERATIONS,
                    RESUME,
                    STEP_HELD,
                    STEP_QUERY,
                    STEP_ANSWER,
                    GROUP_STEP,
                    PROCEED -> Optional.of(InStepCodec.read(envelope));
            case HALO_REQUEST -> {
                var m = envelope.getHaloRequest();
                yield Optional.of(new BlockMessage.HaloRequest(m.getFrom(), m.getTo(), m.getStep(), m.getIteration()));
            }
            case DAEMON_REPORT -> Optional.of(Shapes.read(envelope.getDaemonReport()));
            case GROUP_PROGRESS -> {
                var m = envelope.getGroupProgress();
                yield Optional.of(new ProgressMessage.GroupProgress(
                        Shapes.read(m.getTerm()), each(m.getDaemonsList(), Shapes::read)));
            }
            case BLOCK_FAILED -> {
                var m = envelope.getBlockFailed();
                yield Optional.of(new BlockMessage.BlockFailed(
                        m.getBlock(), Shapes.read(m.getIncarnation()), m.getReason(), m.getFatal()));
            }
            case SNAPSHOT_REQUEST -> {
                var m = envelope.getSnapshotRequest();
                yield Optional.of(new SnapshotMessage.RecordBlocks(m.getStep(), m.getSid()));
            }
            case SNAPSHOT_HALO_REQUEST -> {
                var m = envelope.getSnapshotHaloRequest();
                yield Optional.of(new SnapshotMessage.SnapshotHaloRequest(m.getSid(), m.getFrom(), m.getTo()));
            }
            case SNAPSHOT_PART -> {
                var m = envelope.getSnapshotPart();
                yield Optional.of(new SnapshotMessage.SnapshotPart(
                        m.getSid(),
                        Shapes.read(m.getOwn()),
                        each(m.getUsedList(), Shapes::read),
                        Shapes.read(m.getResidual()),
                        m.getCostNanos()));
            }
            case SNAPSHOT_GROUP_PART -> {
                var m = envelope.getSnapshotGroupPart();
                yield Optional.of(new SnapshotMessage.SnapshotGroupPart(
                        m.getSid(),
                        Shapes.read(m.getTerm()),
                        m.getBlocks(),
                        each(m.getBoundaryList(), Shapes::read),
                        each(m.getUsedList(), Shapes::read),
                        m.getBrokenList(),
                        Shapes.read(m.getResidual()),
                        m.getDigest(),
                        m.getCostNanos()));
            }
            case SNAPSHOT_RECHECK -> {
                var m = envelope.getSnapshotRecheck();
                yield Optional.of(new SnapshotMessage.Reevaluate(m.getSid(), each(m.getTruthList(), Shapes::read)));
            }
            case SNAPSHOT_BROKEN -> {
                var m = envelope.getSnapshotBroken();
                yield Optional.of(new SnapshotMessage.Aborted(m.getSid(), Shapes.read(m.getTerm())));
            }
            case SNAPSHOT_CONTINUE -> {
                var m = envelope.getSnapshotContinue();
                yield Optional.of(new SnapshotMessage.Discard(m.getSid(), m.getResidual()));
            }
            case SNAPSHOT_STORE ->
                Optional.of(new SnapshotMessage.SnapshotStore(
                        envelope.getSnapshotStore().getSid()));
            case SNAPSHOT_STORED -> {
                var m = envelope.getSnapshotStored();
                yield Optional.of(
                        new SnapshotMessage.SnapshotStored(m.getSid(), Shapes.read(m.getPart()), m.getChecksum()));
            }
            case SNAPSHOT_GROUP_STORED -> {
                var m = envelope.getSnapshotGroupStored();
                yield Optional.of(new SnapshotMessage.SnapshotGroupStored(
                        m.getSid(), Shapes.read(m.getTerm()), each(m.getPartsList(), Shapes::read)));
            }
            case STORE_FAILED -> {
                var m = envelope.getStoreFailed();
                yield Optional.of(new SnapshotMessage.StoreFailed(m.getSid(), m.getBlock(), m.getReason()));
            }
            case STEP_COMMIT ->
                Optional.of(new StepMessage.StepCommit(
                        Shapes.read(envelope.getStepCommit().getRecord())));
            case STEPS_KNOWN -> {
                var m = envelope.getStepsKnown();
                yield Optional.of(new StepMessage.KnownSteps(
                        m.hasNewest() ? Optional.of(Shapes.read(m.getNewest())) : Optional.empty(),
                        m.hasStored() ? Optional.of(Shapes.read(m.getStored())) : Optional.empty()));
            }
            case STOP -> {
                var m = envelope.getStop();
                yield Optional.of(new Stop(m.hasReason() ? Optional.of(m.getReason()) : Optional.empty()));
            }
            case GROUP_COPY -> Optional.of(GroupCodec.read(envelope.getGroupCopy()));
            case GROUP_COPIED -> Optional.of(GroupCodec.read(envelope.getGroupCopied()));
            case GROUP_OWNED -> Optional.of(GroupCodec.read(envelope.getGroupOwned()));
            case GROUP_OWNED_HEARD -> Optional.of(GroupCodec.read(envelope.getGroupOwnedHeard()));
            case TAKEOVER -> Optional.of(GroupCodec.read(envelope.getTakeover()));
            case TRANSFER -> Optional.of(GroupCodec.read(envelope.getTransfer()));
            case BLOCKS_OFFERED -> Optional.of(GroupCodec.read(envelope.getBlocksOffered()));
            case LOG_WRITE -> Optional.of(LogCodec.read(envelope.getLogWrite()));
            case LOG_WRITTEN -> {
                var m = envelope.getLogWritten();
                yield Optional.of(new LogMessage.AppendAck(m.getTerm(), m.getPosition()));
            }
            case LOG_PROMISE ->
                Optional.of(new LogMessage.Prepare(envelope.getLogPromise().getTerm()));
            case LOG_PROMISED -> Optional.of(LogCodec.read(envelope.getLogPromised()));
            case LOG_REFUSED ->
                Optional.of(
                        new LogMessage.PrepareRejected(envelope.getLogRefused().getPromised()));
            case HEARTBEAT, PROBE, PROBE_ANSWER, REFUTATION, SUSPICIONS, DEPARTING, DECLARED ->
                Optional.of(WatchCodec.read(envelope));
            case PAYLOAD_NOT_SET -> Optional.empty();
        };
    }
}
