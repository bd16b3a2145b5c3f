// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import dev.volary.protocol.message.BackupMessage;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The records that messages are made of, to protobuf and back. Reading throws {@link IllegalArgumentException} if a value
 * cannot be, such as a node id of 0.
 */
public final class Shapes {
    private Shapes() {}

    /** All of a list. */
    static <A, B> List<B> each(List<A> list, Function<A, B> function) {
        return list.stream().map(function).toList();
    }

    /** To protobuf. */
    public static dev.volary.mesh.v1.Member write(Member member) {
        return dev.volary.mesh.v1.Member.newBuilder()
                .setId(member.id().value())
                .setRole(write(member.role()))
                .setName(member.name())
                .setHost(member.address().host())
                .setPort(member.address().port())
                .setMachine(member.host())
                .setZone(member.zone())
                .setCores(member.cores())
                .setMemoryBytes(member.memoryBytes())
                .build();
    }

    /** From protobuf. */
    public static Member read(dev.volary.mesh.v1.Member member) {
        return new Member(
                new WorkerId(member.getId()),
                read(member.getRole()),
                member.getName(),
                new Address(member.getHost(), member.getPort()),
                member.getMachine(),
                member.getZone(),
                member.getCores(),
                member.getMemoryBytes());
    }

    /** To protobuf. */
    public static dev.volary.mesh.v1.Role write(WorkerRole role) {
        return switch (role) {
            case DAEMON -> dev.volary.mesh.v1.Role.ROLE_DAEMON;
            case SPAWNER -> dev.volary.mesh.v1.Role.ROLE_SPAWNER;
        };
    }

    /** From protobuf. */
    public static WorkerRole read(dev.volary.mesh.v1.Role role) {
        return switch (role) {
            case ROLE_DAEMON -> WorkerRole.DAEMON;
            case ROLE_SPAWNER -> WorkerRole.SPAWNER;
            case ROLE_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalArgumentException("role is " + role + ", must be ROLE_DAEMON or ROLE_SPAWNER");
        };
    }

    static dev.volary.mesh.v1.Holder write(BackupHolder holder) {
        var message = dev.volary.mesh.v1.Holder.newBuilder()
                .setId(holder.id().value())
                .setHost(holder.host())
                .setZone(holder.zone())
                .setStoreHost(holder.address().host())
                .setStorePort(holder.address().port());
        holder.bulk().ifPresent(bulk -> message.setBulkHost(bulk.host()).setBulkPort(bulk.port()));
        return message.build();
    }

    static dev.volary.mesh.v1.GroupHolders write(BackupMessage.GroupHolders group) {
        return dev.volary.mesh.v1.GroupHolders.newBuilder()
                .setOwner(group.owner().value())
                .setVersion(group.version())
                .addAllHolders(each(group.holders(), Shapes::write))
                .build();
    }

    static BackupMessage.GroupHolders read(dev.volary.mesh.v1.GroupHolders group) {
        return new BackupMessage.GroupHolders(
                new WorkerId(group.getOwner()), group.getVersion(), each(group.getHoldersList(), Shapes::read));
    }

    static BackupHolder read(dev.volary.mesh.v1.Holder holder) {
        return new BackupHolder(
                new WorkerId(holder.getId()),
                holder.getHost(),
                holder.getZone(),
                new Address(holder.getStoreHost(), holder.getStorePort()),
                holder.getBulkPort() == 0
                        ? Optional.empty()
                        : Optional.of(new Address(holder.getBulkHost(), holder.getBulkPort())));
    }

    static dev.volary.mesh.v1.GroupTerm write(GroupTerm term) {
        return dev.volary.mesh.v1.GroupTerm.newBuilder()
                .setN(term.n())
                .setOwner(term.owner().value())
                .build();
    }

    static GroupTerm read(dev.volary.mesh.v1.GroupTerm term) {
        return new GroupTerm(term.getN(), new WorkerId(term.getOwner()));
    }

    /** To protobuf. */
    public static dev.volary.mesh.v1.Incarnation write(Incarnation incarnation) {
        return dev.volary.mesh.v1.Incarnation.newBuilder()
                .setTerm(write(incarnation.term()))
                .setCounter(incarnation.counter())
                .build();
    }

    static Incarnation read(dev.volary.mesh.v1.Incarnation incarnation) {
        return new Incarnation(read(incarnation.getTerm()), incarnation.getCounter());
    }

    static dev.volary.mesh.v1.RegisterEntry write(BlockAssignment entry) {
        return dev.volary.mesh.v1.RegisterEntry.newBuilder()
                .setBlock(entry.block())
                .setIncarnation(write(entry.incarnation()))
                .setDaemon(write(entry.daemon()))
                .build();
    }

    static BlockAssignment read(dev.volary.mesh.v1.RegisterEntry entry) {
        return new BlockAssignment(entry.getBlock(), read(entry.getIncarnation()), read(entry.getDaemon()));
    }

    static dev.volary.mesh.v1.KnownCopy write(BackupVersion copy) {
        return dev.volary.mesh.v1.KnownCopy.newBuilder()
                .setBlock(copy.block())
                .setIncarnation(write(copy.incarnation()))
                .setIteration(copy.iteration())
                .build();
    }

    static BackupVersion read(dev.volary.mesh.v1.KnownCopy copy) {
        return new BackupVersion(copy.getBlock(), read(copy.getIncarnation()), copy.getIteration());
    }

    static dev.volary.mesh.v1.Recorded write(RecordedBlock recorded) {
        return dev.volary.mesh.v1.Recorded.newBuilder()
                .setBlock(recorded.block())
                .setIncarnation(write(recorded.incarnation()))
                .setHash(recorded.hash())
                .build();
    }

    static RecordedBlock read(dev.volary.mesh.v1.Recorded recorded) {
        return new RecordedBlock(recorded.getBlock(), read(recorded.getIncarnation()), recorded.getHash());
    }

    static dev.volary.mesh.v1.PartResidual write(PartialResidual residual) {
        return dev.volary.mesh.v1.PartResidual.newBuilder()
                .setNorm(residual.norm())
                .setAdditive(residual.additive())
                .setSumOfSquares(residual.sumOfSquares())
                .setRoundoff(residual.roundoff())
                .build();
    }

    static PartialResidual read(dev.volary.mesh.v1.PartResidual residual) {
        return new PartialResidual(
                residual.getNorm(), residual.getSumOfSquares(), residual.getRoundoff(), residual.getAdditive());
    }

    static dev.volary.mesh.v1.Plan write(TakeoverMessage.Plan plan) {
        return dev.volary.mesh.v1.Plan.newBuilder()
                .setLeaderTerm(plan.leaderTerm())
                .addAllGroups(each(plan.groups(), Shapes::write))
                .build();
    }

    static TakeoverMessage.Plan read(dev.volary.mesh.v1.Plan plan) {
        return new TakeoverMessage.Plan(plan.getLeaderTerm(), each(plan.getGroupsList(), Shapes::read));
    }

    static dev.volary.mesh.v1.GroupPlan write(TakeoverMessage.GroupPlan plan) {
        return dev.volary.mesh.v1.GroupPlan.newBuilder()
                .setTerm(write(plan.term()))
                .setSpawner(write(plan.spawner()))
                .addAllBlocks(plan.blocks())
                .setDaemons(plan.daemons())
                .build();
    }

    static TakeoverMessage.GroupPlan read(dev.volary.mesh.v1.GroupPlan plan) {
        return new TakeoverMessage.GroupPlan(
                read(plan.getTerm()), read(plan.getSpawner()), plan.getBlocksList(), plan.getDaemons());
    }

    static dev.volary.mesh.v1.StoredPart write(SnapshotMessage.StoredPart part) {
        return dev.volary.mesh.v1.StoredPart.newBuilder()
                .setPart(write(part.part()))
                .setChecksum(part.checksum())
                .build();
    }

    static SnapshotMessage.StoredPart read(dev.volary.mesh.v1.StoredPart part) {
        return new SnapshotMessage.StoredPart(read(part.getPart()), part.getChecksum());
    }

    /** To protobuf. */
    public static dev.volary.mesh.v1.StepRecord write(CommittedStep record) {
        return dev.volary.mesh.v1.StepRecord.newBuilder()
                .setStep(record.step())
                .setSid(record.sid())
                .setResidual(record.residual())
                .addAllParts(each(record.parts(), Shapes::write))
                .build();
    }

    /** From protobuf. */
    public static CommittedStep read(dev.volary.mesh.v1.StepRecord record) {
        return new CommittedStep(
                record.getStep(), record.getSid(), record.getResidual(), each(record.getPartsList(), Shapes::read));
    }

    static dev.volary.mesh.v1.BlockProgress write(ProgressMessage.BlockProgress progress) {
        dev.volary.mesh.v1.BlockProgress.Builder written = dev.volary.mesh.v1.BlockProgress.newBuilder()
                .setBlock(progress.block())
                .setIncarnation(write(progress.incarnation()))
                .setIteration(progress.iteration())
                .setUpdates(progress.updates())
                .setHint(progress.hint())
                .setHaloAgeNanos(progress.haloAgeNanos())
                .setHaloAgeIterations(progress.haloAgeIterations())
                .setStep(progress.step());
        progress.backup()
                .ifPresent(backup -> written.setBackup(dev.volary.mesh.v1.Backup.newBuilder()
                        .setIteration(backup.iteration())
                        .addAllHolders(each(backup.holders(), WorkerId::value))));
        return written.build();
    }

    static ProgressMessage.BlockProgress read(dev.volary.mesh.v1.BlockProgress progress) {
        return new ProgressMessage.BlockProgress(
                progress.getBlock(),
                read(progress.getIncarnation()),
                progress.getIteration(),
                progress.getUpdates(),
                progress.getHint(),
                progress.getHaloAgeNanos(),
                progress.getHaloAgeIterations(),
                progress.getStep(),
                progress.hasBackup()
                        ? Optional.of(new ProgressMessage.Backup(
                                progress.getBackup().getIteration(),
                                each(progress.getBackup().getHoldersList(), WorkerId::new)))
                        : Optional.empty());
    }

    static dev.volary.mesh.v1.DaemonReport write(ProgressMessage.DaemonReport report) {
        return dev.volary.mesh.v1.DaemonReport.newBuilder()
                .setDaemon(report.daemon().value())
                .addAllBlocks(each(report.blocks(), Shapes::write))
                .build();
    }

    static ProgressMessage.DaemonReport read(dev.volary.mesh.v1.DaemonReport report) {
        return new ProgressMessage.DaemonReport(
                new WorkerId(report.getDaemon()), each(report.getBlocksList(), Shapes::read));
    }
}
