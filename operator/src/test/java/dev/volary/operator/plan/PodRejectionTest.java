// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.operator.status.ConditionReason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodRejectionTest {
    /** The messages are those of the admission plug-ins of Kubernetes 1.35. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2 | QuotaExceeded
                    pods "a" is forbidden: failed quota: q: must specify limits.cpu for: worker                | QuotaExceeded
                    pods "a" is forbidden: maximum memory usage per Container is 1Gi, but limit is 4Gi         | LimitRangeViolated
                    pods "a" is forbidden: minimum cpu usage per Pod is 1, but request is 500m                 | LimitRangeViolated
                    pods "a" is forbidden: violates PodSecurity "restricted:latest": privileged                | PodSecurityViolated
                    Pod "a" is invalid: spec.containers[0].image: Required value                               | PodRefused
                    """)
    void theKindIsReadFromTheErrorOfTheServer(String message, ConditionReason reason) {
        assertEquals(reason, PodRejection.of(message).reason());
    }
}
