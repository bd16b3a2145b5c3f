// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.model.WorkerId;

/**
 * A member of a group whose members monitor each other.
 *
 * @param id who
 * @param zone failure domain; empty if unknown
 */
public record WatchedMember(WorkerId id, String zone) {}
