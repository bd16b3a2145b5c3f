// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.model.WorkerId;
import java.util.stream.LongStream;

/** Groups of members 1, 2, 3 and so on for tests. Member 1 is the owner. */
final class MemberLists {
    private MemberLists() {}

    static MemberList of(long version, long size) {
        return new MemberList(
                version,
                new WorkerId(1),
                LongStream.rangeClosed(1, size)
                        .mapToObj(id -> new WatchedMember(new WorkerId(id), ""))
                        .toList());
    }

    /** How a member sees a group of this size, which begins at time 0. */
    static MembershipView viewOf(WorkerId self, long size, FailureDetectorConfig config) {
        MembershipView view = new MembershipView(self, config, MonitoringStrategy.of(config), 7);
        assertTrue(view.updateMembers(of(1, size), 0));
        return view;
    }
}
