// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator;

import dev.volary.operator.metrics.OperatorMetrics;
import dev.volary.operator.reconcile.RunningOperator;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import org.jspecify.annotations.Nullable;

/** Starts the operator when the process starts, and stops it when the process ends. */
@ApplicationScoped
public class StartedOperator {
    private final OperatorMetrics metrics = new OperatorMetrics();
    private final Environment environment;
    private @Nullable RunningOperator running;

    @Inject
    StartedOperator(Environment environment) {
        this.environment = environment;
    }

    void start(@Observes StartupEvent event) {
        running = RunningOperator.start(new ConfigBuilder().build(), environment.settings(), metrics);
    }

    void stop(@Observes ShutdownEvent event) {
        RunningOperator operator = running;
        if (operator != null) {
            operator.close();
        }
    }

    OperatorMetrics metrics() {
        return metrics;
    }

    boolean isWatching() {
        RunningOperator operator = running;
        return operator != null && operator.isWatching();
    }

    boolean isHealthy() {
        RunningOperator operator = running;
        return operator == null || operator.isHealthy();
    }
}
