/**
 * What the leading spawner decides beside its own group: election, the plan, snapshots, the end of the job. {@link
 * dev.volary.protocol.leader.DecisionLog} holds back what a decision does until the log has it
 * (docs/explanation/replacement-and-fencing.md).
 */
@NullMarked
package dev.volary.protocol.leader;

import org.jspecify.annotations.NullMarked;
