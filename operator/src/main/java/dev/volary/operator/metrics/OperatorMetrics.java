// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.metrics;

import dev.volary.job.resource.Phase;
import dev.volary.operator.pod.LossCause;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.BooleanSupplier;

/** The metrics of the operator. Labels distinguish jobs by namespace and name, but never pods. Safe for several threads. */
public final class OperatorMetrics {
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Gauge phase = Gauge.builder()
            .name("volary_job_phase")
            .help("1 for the phase of a job, 0 for all other phases.")
            .labelNames("job_namespace", "job_name", "phase")
            .register(registry);
    private final Counter losses = Counter.builder()
            .name("volary_workers_lost_total")
            .help("Workers lost, as status.replacements counts them: voluntary, disruption, failure.")
            .labelNames("job_namespace", "job_name", "cause")
            .register(registry);
    private final Counter errors = Counter.builder()
            .name("volary_reconcile_errors_total")
            .help("Reconciliations that failed and were retried.")
            .register(registry);
    private final Counter lostEvents = Counter.builder()
            .name("volary_events_lost_total")
            .help("Events that could not be published.")
            .register(registry);
    private final Counter reconciles = Counter.builder()
            .name("volary_reconciles_total")
            .help("Reconciliations.")
            .register(registry);
    private final Counter patches = Counter.builder()
            .name("volary_status_patches_total")
            .help("Statuses written.")
            .register(registry);
    private final Counter withoutEffect = Counter.builder()
            .name("volary_status_patches_without_effect_total")
            .help("Statuses written without a change; more than 0 is a bug of the operator.")
            .register(registry);
    private final Counter requests = Counter.builder()
            .name("volary_api_requests_total")
            .help("Requests to the API server, by method and status code.")
            .labelNames("method", "code")
            .register(registry);
    private final Gauge isLeader = Gauge.builder()
            .name("volary_operator_leader")
            .help("1 while this operator is the leader.")
            .register(registry);

    private volatile BooleanSupplier isWatching = () -> false;

    /** Creates the metrics of an operator. */
    public OperatorMetrics() {
        GaugeWithCallback.builder()
                .name("volary_operator_watching")
                .help("1 while all watches of this operator are open; while one is not, statuses may be outdated.")
                .callback(gauge -> gauge.call(isWatching.getAsBoolean() ? 1 : 0))
                .register(registry);
    }

    /** The registry with all metrics. */
    public PrometheusRegistry registry() {
        return registry;
    }

    /** Sets the phase of a job. */
    public void inPhase(String namespace, String job, Phase now) {
        for (Phase each : Phase.values()) {
            phase.labelValues(namespace, job, each.name()).set(each == now ? 1 : 0);
        }
    }

    /** Removes the metrics of a deleted job. */
    public void forget(String namespace, String job) {
        for (Phase each : Phase.values()) {
            phase.remove(namespace, job, each.name());
        }
        for (LossCause each : LossCause.values()) {
            losses.remove(namespace, job, each.label());
        }
    }

    /** Counts lost workers of a job. */
    public void lost(String namespace, String job, LossCause cause, int workers) {
        losses.labelValues(namespace, job, cause.label()).inc(workers);
    }

    /** Counts a started reconciliation. */
    public void reconciled() {
        reconciles.inc();
    }

    /** Counts a failed reconciliation. */
    public void failed() {
        errors.inc();
    }

    /** Counts an event that could not be published. */
    public void eventLost() {
        lostEvents.inc();
    }

    /** Counts a written status; {@code changed} says whether the API server found a change. */
    public void patched(boolean changed) {
        patches.inc();
        if (!changed) {
            withoutEffect.inc();
        }
    }

    /** Counts a request to the API server; the code is 0 if it could not be reached. */
    public void requested(String method, int code) {
        requests.labelValues(method, Integer.toString(code)).inc();
    }

    /** Sets whether this operator is the leader. */
    public void leading(boolean now) {
        isLeader.set(now ? 1 : 0);
    }

    /** Sets how to find out whether all watches of this operator are open. */
    public void watching(BooleanSupplier now) {
        isWatching = now;
    }

    /** Number of reconciliations so far. */
    public long reconciles() {
        return (long) reconciles.get();
    }

    /** Number of reconciliations that failed so far. */
    public long failures() {
        return (long) errors.get();
    }

    /** Number of events that could not be published so far. */
    public long lostEvents() {
        return (long) lostEvents.get();
    }

    /** Number of requests with a method other than GET so far. */
    public long changes() {
        return requests.collect().getDataPoints().stream()
                .filter(point -> !point.getLabels().get("method").equals("GET"))
                .mapToLong(point -> (long) point.getValue())
                .sum();
    }

    /** Number of requests so far. */
    public long requests() {
        return requests.collect().getDataPoints().stream()
                .mapToLong(point -> (long) point.getValue())
                .sum();
    }

    /** Number of requests that the API server answered with 403 so far. */
    public long refused() {
        return requests.collect().getDataPoints().stream()
                .filter(point -> point.getLabels().get("code").equals("403"))
                .mapToLong(point -> (long) point.getValue())
                .sum();
    }

    /** Number of statuses written without a change so far. */
    public long patchesWithoutEffect() {
        return (long) withoutEffect.get();
    }

    /** Number of statuses written so far. */
    public long patches() {
        return (long) patches.get();
    }
}
