package dev.volary.protocol.watch;

import dev.volary.protocol.NodeId;

/**
 * A member of a group that watches itself.
 *
 * @param id who
 * @param zone failure domain; empty if unknown
 */
public record WatchedMember(NodeId id, String zone) {}
