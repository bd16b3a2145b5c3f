/**
 * The places of blocks and groups: blocks and their daemons ({@link dev.volary.protocol.directory.BlockDirectory}), what a
 * spawner has assigned, who owns a group, and replicas of a group's directory at other spawners.
 */
@NullMarked
package dev.volary.protocol.directory;

import org.jspecify.annotations.NullMarked;
