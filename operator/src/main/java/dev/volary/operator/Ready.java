// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Readiness probe: reports whether the caches are filled and all watches are open, on the leader and on other replicas. */
@Readiness
@ApplicationScoped
public class Ready implements HealthCheck {
    private final StartedOperator operator;

    @Inject
    Ready(StartedOperator operator) {
        this.operator = operator;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("caches").status(operator.isWatching()).build();
    }
}
