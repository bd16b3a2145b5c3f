// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.metrics;

import dev.volary.job.resource.Phase;
import dev.volary.operator.pod.LossCause;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** What the operator counts. Jobs are told apart by namespace and name; pods never are. Safe for use by several threads. */
public final class OperatorMetrics {
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Gauge phase = Gauge.builder()
            .name("volary_job_phase")
            .help("1 for the phase a job is in, 0 for those it has left.")
            .labelNames("job_namespace", "job_name", "phase")
            .register(registry);
    private final Counter losses = Counter.builder()
            .name("volary_workers_lost_total")
            .help("Workers lost, as status.replacements counts them: voluntary, disruption, failure.")
            .labelNames("job_namespace", "job_name", "cause")
            .register(registry);
    private final Counter errors = Counter.builder()
            .name("volary_reconcile_errors_total")
            .help("Reconciliations that ended in an error and were tried again.")
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
            .help("Statuses written though they were the same; more than none is a fault of the operator.")
            .register(registry);
    private final Counter requests = Counter.builder()
            .name("volary_api_requests_total")
            .help("Requests to the API server, by method and status code.")
            .labelNames("method", "code")
            .register(registry);
    private final Gauge leads = Gauge.builder()
            .name("volary_operator_leader")
            .help("1 while this operator leads.")
            .register(registry);

    /** Where all of them are. */
    public PrometheusRegistry registry() {
        return registry;
    }

    /** A job is in a phase. */
    public void inPhase(String namespace, String job, Phase now) {
        for (Phase each : Phase.values()) {
            phase.labelValues(namespace, job, each.name()).set(each == now ? 1 : 0);
        }
    }

    /** A job is no more. */
    public void forget(String namespace, String job) {
        for (Phase each : Phase.values()) {
            phase.remove(namespace, job, each.name());
        }
        for (LossCause each : LossCause.values()) {
            losses.remove(namespace, job, each.label());
        }
    }

    /** Workers of a job were lost. */
    public void lost(String namespace, String job, LossCause cause, int workers) {
        losses.labelValues(namespace, job, cause.label()).inc(workers);
    }

    /** A reconciliation has begun. */
    public void reconciled() {
        reconciles.inc();
    }

    /** A reconciliation has ended in an error. */
    public void failed() {
        errors.inc();
    }

    /** A status was written; {@code changed} is whether the API server found anything new in it. */
    public void patched(boolean changed) {
        patches.inc();
        if (!changed) {
            withoutEffect.inc();
        }
    }

    /** The API server has answered, or could not be reached: code 0. */
    public void requested(String method, int code) {
        requests.labelValues(method, Integer.toString(code)).inc();
    }

    /** Whether this operator leads. */
    public void leading(boolean now) {
        leads.set(now ? 1 : 0);
    }

    /** Reconciliations so far. */
    public long reconciles() {
        return (long) reconciles.get();
    }

    /** Requests that were meant to change something, so far. */
    public long changes() {
        return requests.collect().getDataPoints().stream()
                .filter(point -> !point.getLabels().get("method").equals("GET"))
                .mapToLong(point -> (long) point.getValue())
                .sum();
    }

    /** Requests so far. */
    public long requests() {
        return requests.collect().getDataPoints().stream()
                .mapToLong(point -> (long) point.getValue())
                .sum();
    }

    /** Requests that the API server has forbidden, so far. */
    public long refused() {
        return requests.collect().getDataPoints().stream()
                .filter(point -> point.getLabels().get("code").equals("403"))
                .mapToLong(point -> (long) point.getValue())
                .sum();
    }

    /** Statuses written in vain so far. */
    public long patchesWithoutEffect() {
        return (long) withoutEffect.get();
    }

    /** Statuses written so far. */
    public long patches() {
        return (long) patches.get();
    }
}
