// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/** Liveness probe: reports whether all watches are healthy. Kubernetes restarts a process that has lost them. */
@Liveness
@ApplicationScoped
public class Alive implements HealthCheck {
    private final StartedOperator operator;

    @Inject
    Alive(StartedOperator operator) {
        this.operator = operator;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("watches").status(operator.isHealthy()).build();
    }
}
