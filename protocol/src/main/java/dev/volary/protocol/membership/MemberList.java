// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.model.WorkerId;
import java.util.List;

/**
 * A group as its owner sees it.
 *
 * @param version grows with each change; a {@link FailureDetector} ignores what is not newer than what it has
 * @param owner declares all others dead; the others declare the owner dead
 * @param members all of them, the owner included, in an order that all share
 */
public record MemberList(long version, WorkerId owner, List<WatchedMember> members) {

    public MemberList {
        members = List.copyOf(members);
    }
}
