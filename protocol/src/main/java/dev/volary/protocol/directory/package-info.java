/**
 * The places of blocks and groups: blocks and their daemons ({@link dev.volary.protocol.directory.BlockDirectory}), what a
 * spawner has assigned, who owns a group, and replicas of a group's directory at other spawners.
 *
 * <p>Start with {@link dev.volary.protocol.directory.BlockAssignments}. Example: a block gets another daemon. {@code
 * BlockAssignments} places it under the next incarnation, {@code AssignmentTable} has it until the daemon accepts it, and {@code
 * DirectoryPublisher} sends the new entry to those who compute next to it.
 */
@NullMarked
package dev.volary.protocol.directory;

import org.jspecify.annotations.NullMarked;
