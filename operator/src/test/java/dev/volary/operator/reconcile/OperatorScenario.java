// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.volary.job.resource.IterativeJob;
import dev.volary.job.spec.JobSpec;
import dev.volary.operator.simulated.SimulatedCluster;
import dev.volary.operator.simulated.SimulatedHttpClient;
import dev.volary.operator.simulated.SimulatedJob.Workload;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What happens to an operator and its cluster.
 *
 * @param name name for the command line
 * @param spec fields of the spec, one in each line; they replace those that all scenarios have
 * @param workload what the job computes
 * @param faults what goes wrong, or what persons do, at random times
 */
record OperatorScenario(String name, String spec, Workload workload, Set<Fault> faults) {

    /** A kind of fault, or of what a person does. */
    enum Fault {
        /** Requests fail with all kinds of answers. */
        REQUESTS,
        /** Requests are executed, at once, late or twice, and their answers are lost. */
        LOST_ANSWERS,
        /** Watches deliver late. */
        SLOW_WATCHES,
        /** The API server is unavailable for a while: requests fail, watches are cut and reopened late, and pods are lost meanwhile. */
        CUT_WATCHES,
        /** The operator is killed between two requests, and another one starts. */
        RESTARTS,
        /** The operator is away for up to two minutes. */
        OUTAGE,
        /** A second operator starts before the first one is killed. */
        OVERLAP,
        /** Pods are deleted, evicted, and crash. */
        PODS,
        /** Nodes are lost, come back or are replaced. */
        NODES,
        /** For a while no node has room for a pod. */
        FULL_NODES,
        /** For a while a quota refuses pods. */
        QUOTA,
        /** Objects of other owners have names that the job needs, for a while. */
        NAMES,
        /** The job is deleted and created again under its name. */
        RECREATION,
        /** The job is deleted in the foreground: its objects go first. */
        FOREGROUND,
        /** The job is suspended and resumed. */
        SUSPENSION,
        /** The number of daemons changes. */
        SCALING,
        /** Spawners do not answer for a while. */
        SILENCE,
        /** Spawners report what they reported before. */
        OLD_REPORTS,
        /** Persons request checkpoints. */
        CHECKPOINTS,
        /** Pods share the addresses of nodes and all workers trust each other: only the UID in a report says whose it is. */
        TRUSTING,
        /** Objects of the job are deleted by a person. */
        DELETIONS,
        /** Days pass in which nothing happens, until identities are at half of their lifetime. */
        DAYS,
        /** Secrets of the job are deleted by a person. */
        SECRETS,
        /** For a while the storage of results takes nothing. */
        STORAGE,
        /** The storage of results never takes anything. */
        NO_STORAGE
    }

    private static final Map<String, Object> DEFAULTS = Serialization.unmarshal("""
            problem: {type: heat2d, parameters: {points: 63}}
            daemons: {replicas: 2}
            spawners: {replicas: 2}
            podRetention: None
            failurePolicy: {maxRetries: 100}
            """, new TypeReference<>() {});
    private static final String PLAIN = "";
    private static final Workload SHORT = new Workload(Duration.ofSeconds(70), Duration.ofSeconds(25));
    private static final Workload LONG = new Workload(Duration.ofSeconds(200), Duration.ofSeconds(25));
    private static final Workload FETCHED_LATE = new Workload(Duration.ofSeconds(20), Duration.ofSeconds(250));
    /** Computes until all faults are over and their effects are made up for. */
    private static final Workload BEYOND_FAULTS = new Workload(Duration.ofMinutes(12), Duration.ofSeconds(25));
    /** Computes until deleted Secrets are created again and identities are reissued. */
    private static final Workload BEYOND_CHECKS = new Workload(Duration.ofMinutes(20), Duration.ofSeconds(25));

    private static final Workload WRITTEN =
            new Workload(Duration.ofSeconds(70), Duration.ofSeconds(25), Duration.ofSeconds(40));
    private static final Workload WRITTEN_SLOWLY =
            new Workload(Duration.ofSeconds(40), Duration.ofSeconds(25), Duration.ofSeconds(110));
    private static final String STANDBYS = "daemons: {replicas: 2, standbys: 2}";
    private static final String GROUPS =
            STANDBYS + "\nworkerGroups: [{name: steady, priority: -1}, {name: spot, priority: 5, maxReplicas: 2}]";
    private static final String ON_VOLUME =
            "result: {destination: Volume, volume: {persistentVolumeClaim: {claimName: out}}}";
    private static final String IN_OBJECT_STORE = "result: {destination: ObjectStore, objectStore: {bucket: out}}";
    private static final String STORED = "checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}";

    /** All scenarios. */
    static List<OperatorScenario> all() {
        return List.of(
                of("calm", PLAIN, SHORT),
                of("failing-requests", PLAIN, LONG, Fault.REQUESTS, Fault.PODS),
                of("lost-answers", PLAIN, LONG, Fault.LOST_ANSWERS, Fault.PODS, Fault.SCALING),
                of("slow-watches", PLAIN, LONG, Fault.SLOW_WATCHES, Fault.PODS, Fault.SCALING),
                of("cut-watches", PLAIN, SHORT, Fault.CUT_WATCHES, Fault.PODS),
                of("operator-restarts", PLAIN, LONG, Fault.RESTARTS, Fault.PODS, Fault.SCALING, Fault.LOST_ANSWERS),
                of("two-operators", PLAIN, LONG, Fault.OVERLAP, Fault.SLOW_WATCHES, Fault.PODS, Fault.SCALING),
                of("operator-outage", "activeDeadlineSeconds: 130", SHORT, Fault.OUTAGE),
                of("operator-outage-at-start", "preRunningDeadlineSeconds: 60", SHORT, Fault.OUTAGE),
                of("lost-pods", PLAIN, LONG, Fault.PODS),
                of("lost-results", PLAIN, FETCHED_LATE, Fault.PODS),
                of("lost-nodes", PLAIN, LONG, Fault.NODES, Fault.SILENCE),
                of("pending-pods", PLAIN, LONG, Fault.FULL_NODES, Fault.QUOTA, Fault.PODS),
                of("taken-names", PLAIN, LONG, Fault.NAMES, Fault.PODS),
                of("deleted-objects", PLAIN, LONG, Fault.DELETIONS, Fault.PODS, Fault.RESTARTS),
                of("created-again", PLAIN, SHORT, Fault.RECREATION, Fault.SLOW_WATCHES, Fault.TRUSTING),
                of(
                        "created-again-two-operators",
                        PLAIN,
                        SHORT,
                        Fault.RECREATION,
                        Fault.OVERLAP,
                        Fault.SLOW_WATCHES,
                        Fault.PODS,
                        Fault.SCALING,
                        Fault.LOST_ANSWERS),
                of("deleted-in-foreground", PLAIN, SHORT, Fault.FOREGROUND, Fault.RESTARTS),
                of("suspended", STORED, LONG, Fault.SUSPENSION, Fault.CHECKPOINTS, Fault.RESTARTS, Fault.PODS),
                of("suspended-during-outage", STORED, LONG, Fault.SUSPENSION, Fault.OUTAGE),
                of("silent-spawners", PLAIN, LONG, Fault.SILENCE, Fault.OLD_REPORTS, Fault.PODS),
                of(
                        "result-in-danger",
                        PLAIN,
                        SHORT,
                        Fault.RESTARTS,
                        Fault.OLD_REPORTS,
                        Fault.NODES,
                        Fault.LOST_ANSWERS),
                of("expires", "ttlSecondsAfterFinished: 60", SHORT, Fault.RESTARTS, Fault.REQUESTS),
                of("standbys", STANDBYS, BEYOND_FAULTS, Fault.PODS, Fault.SCALING, Fault.RESTARTS),
                of(
                        "worker-groups",
                        GROUPS,
                        BEYOND_FAULTS,
                        Fault.PODS,
                        Fault.QUOTA,
                        Fault.FULL_NODES,
                        Fault.REQUESTS,
                        Fault.RESTARTS),
                of("worker-groups-lost-nodes", GROUPS, BEYOND_FAULTS, Fault.NODES, Fault.SCALING, Fault.PODS),
                of("renewed-identities", PLAIN, BEYOND_CHECKS, Fault.DAYS, Fault.REQUESTS, Fault.RESTARTS),
                of("deleted-secrets", PLAIN, BEYOND_CHECKS, Fault.SECRETS, Fault.PODS),
                of("stored-on-volume", ON_VOLUME, WRITTEN, Fault.STORAGE, Fault.PODS, Fault.RESTARTS),
                of(
                        "stored-in-object-store",
                        IN_OBJECT_STORE + "\nttlSecondsAfterFinished: 60",
                        WRITTEN,
                        Fault.STORAGE,
                        Fault.LOST_ANSWERS,
                        Fault.OLD_REPORTS),
                of(
                        "stored-after-deadline",
                        ON_VOLUME + "\nactiveDeadlineSeconds: 90",
                        WRITTEN_SLOWLY,
                        Fault.STORAGE,
                        Fault.SILENCE),
                of("storage-takes-nothing", IN_OBJECT_STORE, WRITTEN, Fault.NO_STORAGE, Fault.PODS),
                new OperatorScenario(
                        "everything",
                        STORED,
                        LONG,
                        EnumSet.complementOf(EnumSet.of(
                                Fault.FOREGROUND, Fault.CUT_WATCHES, Fault.DAYS, Fault.SECRETS, Fault.NO_STORAGE))));
    }

    private static OperatorScenario of(String name, String spec, Workload workload, Fault... faults) {
        Set<Fault> all = EnumSet.noneOf(Fault.class);
        all.addAll(List.of(faults));
        return new OperatorScenario(name, spec, workload, all);
    }

    /** @throws IllegalArgumentException if no scenario has this name */
    static OperatorScenario named(String name) {
        return all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scenario " + name + ", use "
                        + String.join(
                                ", ", all().stream().map(OperatorScenario::name).toList())));
    }

    /** The job as JSON. */
    String manifest() {
        Map<String, Object> fields = new LinkedHashMap<>(DEFAULTS);
        Map<String, Object> given = Serialization.unmarshal(spec.isEmpty() ? "{}" : spec, new TypeReference<>() {});
        fields.putAll(given);
        IterativeJob job = new IterativeJob();
        job.setMetadata(new ObjectMetaBuilder()
                .withName(ScenarioFaults.JOB)
                .withNamespace(SimulatedCluster.NAMESPACE)
                .build());
        job.setSpec(SimulatedHttpClient.SERIALIZATION.convertValue(fields, JobSpec.class));
        return SimulatedHttpClient.SERIALIZATION.asJson(job);
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }
}
