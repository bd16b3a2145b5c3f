// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.model.WorkerId;

/**
 * A member of a group that watches itself.
 *
 * @param id who
 * @param zone failure domain; empty if unknown
 */
public record WatchedMember(WorkerId id, String zone) {}
