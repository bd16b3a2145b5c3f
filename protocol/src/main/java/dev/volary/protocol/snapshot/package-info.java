/**
 * Certified snapshots (docs/explanation/certification.md, "the protocol"): the only authority that may say "converged". A
 * snapshot has three sides: daemons record, evaluate and store the parts of their blocks ({@code DaemonSnapshots}), a group
 * collects the parts of its daemons ({@code GroupSnapshots}), and the leader decides.
 *
 * <p>Start with {@link dev.volary.protocol.snapshot.LeaderSnapshots}: its fields are the parts of the leader's side. Example: all
 * groups have sent their parts. {@code OpenSnapshot} compares what they used of each other with {@code EdgeCheck}; {@code
 * LeaderSnapshots} finds the residual above the tolerance; {@code CheckpointSchedule} says that it is no time for a checkpoint, so
 * the groups discard their records.
 */
@NullMarked
package dev.volary.protocol.snapshot;

import org.jspecify.annotations.NullMarked;
