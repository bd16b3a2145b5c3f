// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GroupOwnersTest {
    private static final Member ONE = spawner(1);
    private static final Member TWO = spawner(2);

    private final GroupOwners owners = new GroupOwners();

    private static GroupTerm term(long n, Member owner) {
        return new GroupTerm(n, owner.id());
    }

    @Test
    void aClaimGainsTheBlocksThatAreFreeOrOfALowerTerm() {
        assertEquals(List.of(0, 1), owners.claimed(term(1, ONE), ONE, List.of(0, 1)));
        assertEquals(List.of(1, 2), owners.claimed(term(2, TWO), TWO, List.of(1, 2)));
        assertEquals(List.of(0), owners.blocks(ONE.id()));
        assertEquals(List.of(1, 2), owners.blocks(TWO.id()));
    }

    @Test
    void aClaimOfALowerTermGainsNothing() {
        owners.claimed(term(2, TWO), TWO, List.of(0));
        assertEquals(List.of(), owners.claimed(term(1, ONE), ONE, List.of(0)));
        assertEquals(Optional.of(TWO), owners.ownerOf(0));
    }

    @Test
    void ofTwoClaimsWithTheSameNumberTheHigherIdWins() {
        owners.claimed(term(2, ONE), ONE, List.of(0));
        assertEquals(List.of(0), owners.claimed(term(2, TWO), TWO, List.of(0)));
        assertEquals(List.of(), owners.claimed(term(2, ONE), ONE, List.of(0)));
    }

    @Test
    void aRepeatedClaimChangesNothing() {
        owners.claimed(term(1, ONE), ONE, List.of(0, 1));
        long before = owners.version();
        assertEquals(List.of(), owners.claimed(term(1, ONE), ONE, List.of(0, 1)));
        assertEquals(before, owners.version());
    }

    @Test
    void theHighestTermCountsWhetherItsClaimWonOrNot() {
        owners.claimed(term(3, TWO), TWO, List.of(0));
        owners.claimed(term(2, ONE), ONE, List.of(0));
        assertEquals(3, owners.highestTerm());
        owners.observe(term(7, ONE));
        assertEquals(7, owners.highestTerm());
    }

    @Test
    void theGroupsFollowTheClaims() {
        owners.claimed(term(1, ONE), ONE, List.of(0, 1));
        assertEquals(List.of(new TakeoverMessage.GroupPlan(term(1, ONE), ONE, List.of(0, 1), 0)), owners.groups());
        owners.claimed(term(2, TWO), TWO, List.of(1));
        assertEquals(
                List.of(
                        new TakeoverMessage.GroupPlan(term(1, ONE), ONE, List.of(0), 0),
                        new TakeoverMessage.GroupPlan(term(2, TWO), TWO, List.of(1), 0)),
                owners.groups());
    }
}
