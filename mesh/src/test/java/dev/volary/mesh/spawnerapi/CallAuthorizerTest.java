// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.mesh.tls.SpiffeId;
import io.grpc.MethodDescriptor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each call of the table in docs/explanation/security.md, by each role. The role is that of the certificate: there is no other input. */
class CallAuthorizerTest {
    private static final List<String> ROLES = List.of("operator", "spawner", "daemon", "parent");
    private static final Map<MethodDescriptor<?, ?>, Set<String>> TABLE = Map.ofEntries(
            Map.entry(Methods.STATUS, Set.of("operator", "spawner")),
            Map.entry(Methods.HINT, Set.of("operator", "spawner")),
            Map.entry(Methods.FETCH, Set.of("operator", "spawner")),
            Map.entry(Methods.ACKNOWLEDGE, Set.of("operator", "spawner")),
            Map.entry(Methods.CHECKPOINT, Set.of("operator")),
            Map.entry(Methods.KILL, Set.of("operator")),
            Map.entry(Methods.INTRODUCE, Set.of("operator", "spawner", "daemon")),
            Map.entry(Methods.DELIVER, Set.of("daemon")),
            Map.entry(Methods.READ_PART, Set.of("spawner", "daemon")),
            Map.entry(Methods.HOLD_PARTS, Set.of("spawner")),
            Map.entry(Methods.KEEP_RESULT, Set.of("spawner")),
            Map.entry(Methods.FORGET_PARTS, Set.of("spawner")),
            Map.entry(Methods.HALT, Set.of("spawner")),
            Map.entry(Methods.LEAVE, Set.of("spawner")));

    private final CallAuthorizer authorizer = new CallAuthorizer(new SpiffeId("ns", "heat", "spawner", "heat-s-0"));

    @Test
    void aCallIsAnsweredForTheRolesOfTheTableAndForNoOther() {
        TABLE.forEach((method, allowed) -> ROLES.forEach(role -> assertEquals(
                allowed.contains(role),
                authorizer
                        .refusal(method.getFullMethodName(), Optional.of(new SpiffeId("ns", "heat", role, "heat-x")))
                        .isEmpty(),
                () -> method.getFullMethodName() + " by a " + role)));
    }

    @Test
    void aCallThatIsNotInTheTableIsRefused() {
        assertEquals(
                Optional.of("volary.mesh.v1.Spawner/New is for the roles [], not for"
                        + " spiffe://volary.local/ns/ns/job/heat/operator/o"),
                authorizer.refusal(
                        "volary.mesh.v1.Spawner/New", Optional.of(new SpiffeId("ns", "heat", "operator", "o"))));
    }

    @Test
    void aCallerOfAnotherJobOrWithoutACertificateIsRefused() {
        String status = Methods.STATUS.getFullMethodName();
        assertEquals(Optional.of("the caller has proven no identity"), authorizer.refusal(status, Optional.empty()));
        for (SpiffeId stranger :
                List.of(new SpiffeId("ns", "pipe", "operator", "o"), new SpiffeId("other", "heat", "operator", "o"))) {
            assertEquals(
                    Optional.of("identity " + stranger
                            + " belongs to another job than spiffe://volary.local/ns/ns/job/heat/spawner/heat-s-0"),
                    authorizer.refusal(status, Optional.of(stranger)));
        }
    }
}
