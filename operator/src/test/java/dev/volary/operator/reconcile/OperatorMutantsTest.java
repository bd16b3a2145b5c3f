// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.junit.jupiter.api.Assertions.fail;

import dev.volary.mutant.Mutant;
import dev.volary.mutant.Mutant.Edit;
import dev.volary.mutant.SimulatedRun;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Each mutant of the operator must be caught, and by the check that is about it. Without a mutant the same scenarios and seeds have
 * no violations, as {@link OperatorSeedsTest} shows. A mutant is a row of the table below.
 */
class OperatorMutantsTest {
    private static final int SEEDS = 40;
    private static final Logger LOG = Logger.getLogger("dev.volary.operator");

    /**
     * @param first the seed that is tried first: one that is known to catch the mutant, where most do not
     */
    private record Row(String bug, String scenario, String violation, Mutant mutant, long first) {

        Row fromSeed(long seed) {
            return new Row(bug, scenario, violation, mutant, seed);
        }
    }

    private static Row row(
            String bug, String scenario, String violation, String file, String line, String replacement) {
        return row(bug, scenario, violation, in(file, line, replacement));
    }

    private static Row row(String bug, String scenario, String violation, Edit... edits) {
        return new Row(bug, scenario, violation, new Mutant(List.of(edits)), 1);
    }

    private static Edit in(String file, String line, String replacement) {
        return new Edit("operator/" + file, line, replacement);
    }

    private static final List<Row> TABLE = List.of(
            row(
                    "a pod belongs to the job whose name its owner has",
                    "created-again",
                    "workers of the job were lost",
                    "reconcile/JobReconciler",
                    ".filter(pod -> Ownership.isBy(job, pod))",
                    ""),
            row(
                    "a restart of a container is counted again and again",
                    "lost-pods",
                    "and workers failed",
                    "plan/RecordLosses",
                    "tracked.put(pod.pod(), Math.max(counted, pod.restarts()));",
                    "tracked.put(pod.pod(), counted);"),
            row(
                    "actions are executed before the status is written",
                    "lost-pods",
                    "the status reserves serials up to",
                    in(
                            "plan/ScaleWorkers",
                            "static final int RESERVED_SERIALS = 4;",
                            "static final int RESERVED_SERIALS = 0;"),
                    in(
                            "reconcile/JobReconciler",
                            "return next; // execute nothing before the status explains why",
                            "")),
            row(
                            "an operator that starts ends a job at its deadline before it has polled the spawners",
                            "operator-outage",
                            "at the end the phase is Failed",
                            "plan/EnforceLimits",
                            "if (observation.hasReconciled()) {",
                            "if (true) {")
                    .fromSeed(18),
            row(
                            "an operator that starts suspends a job before it has polled the spawners",
                            "suspended-during-outage",
                            "and the job iterates and has no checkpoint",
                            "plan/SuspendJob",
                            "if (!observation.hasReconciled()) {",
                            "if (false) {")
                    .fromSeed(27),
            row(
                            "restarts of a surplus pod are counted again",
                            "operator-restarts",
                            "and workers failed",
                            "plan/RecordLosses",
                            "int counted = tracked.getOrDefault(pod.pod(), pod.restarts());",
                            "int counted = tracked.getOrDefault(pod.pod(), 0);")
                    .fromSeed(9),
            row(
                            "Secrets of pods that end while no operator runs stay",
                            "operator-outage",
                            "these objects are left",
                            "reconcile/JobCertificates",
                            "cache.checkEarlierPods(now, recheck);",
                            "")
                    .fromSeed(11),
            row(
                    "spawner pods that ended with the result stay",
                    "lost-results",
                    "these objects are left",
                    "plan/CleanUpFinishedJob",
                    "boolean mayHoldResult = isResultAwaited && pod.pod().role() == PodRole.SPAWNER && pod.mayHoldResult();",
                    "boolean mayHoldResult = isResultAwaited && pod.pod().role() == PodRole.SPAWNER;"),
            row(
                    "spawners are deleted before their result is fetched",
                    "calm",
                    "holds the result that no client has fetched",
                    "plan/JudgeResult",
                    "&& !Boolean.TRUE.equals(plan.status().resultFetched());",
                    "&& Boolean.TRUE.equals(plan.status().resultFetched());"),
            row(
                    "a failed reconciliation is forgotten",
                    "failing-requests",
                    "the status does not say so",
                    "reconcile/JobReconciler",
                    "cache.passFailed(FailedAttempts.pass(failure));",
                    ""),
            row(
                    "an operator that starts uses serials from 0",
                    "operator-restarts",
                    "for the second time by the same job",
                    "reconcile/JobReconciler",
                    "JobCache cache = new JobCache(serials.daemons() + 1, serials.spawners() + 1);",
                    "JobCache cache = new JobCache(0, 0);"),
            row(
                            "the UID in a report is ignored",
                            "created-again",
                            "and the job has no result",
                            "spawner/GrpcSpawnerClients",
                            "if (reply.getJobUid().isEmpty() || reply.getJobUid().equals(uid)) {",
                            "if (true) {")
                    .fromSeed(29),
            row(
                    "a job that has ended is planned as an active one",
                    "calm",
                    "at the end",
                    "plan/ReconcilePlanner",
                    "case Succeeded, Failed -> FINAL;",
                    "case Succeeded, Failed -> ACTIVE;"),
            row(
                    "the Secret of another owner is used",
                    "taken-names",
                    "an object of",
                    "reconcile/JobCertificates",
                    "if (found != null && !taken.isOwned(found)) {",
                    "if (false) {"),
            row(
                    "the ConfigMap of another owner is overwritten",
                    "taken-names",
                    "an object of",
                    "reconcile/ActionExecutor",
                    "if (taken.isOwned(existing)",
                    "if ((taken.isOwned(existing) || true)"),
            row(
                    "the identities of deleted pods stay",
                    "calm",
                    "these objects are left",
                    "reconcile/JobCertificates",
                    "if (used.contains(pod) || (due != null && now.isBefore(due))) {",
                    "if (true) {"),
            row(
                            "a job ends with the losses that its watch has shown",
                            "cut-watches",
                            "the job ends with status.replacements.total",
                            "reconcile/JobReconciler",
                            "if (plan.phase().isFinal() && !observation.phase().isFinal() && before.roster() != null) {",
                            "if (false) {")
                    .fromSeed(28),
            row(
                    "a refused pod is requested again a day later",
                    "pending-pods",
                    "at the end the phase is",
                    "reconcile/ActionExecutor",
                    "cache.retryPods = pass.now().plus(intervals.podRetry());",
                    "cache.retryPods = pass.now().plusSeconds(86400);"),
            row(
                    "standbys are not replaced",
                    "standbys",
                    "after all faults",
                    "plan/ScaleWorkers",
                    "return spec.daemons().computing() + spec.daemons().standbys();",
                    "return spec.daemons().computing();"),
            row(
                    "a daemon with a block is deleted instead of a standby",
                    "standbys",
                    "which serves a block",
                    "plan/ScaleWorkers",
                    ".thenComparing(p -> busy.contains(p.name()))",
                    ""),
            row(
                    "all daemons go to the first worker group",
                    "worker-groups",
                    "of at most 2",
                    "plan/ScaleWorkers",
                    "if (max == null || load.getOrDefault(group.name(), 0) < max) {",
                    "if (true) {"),
            row(
                    "an operator that starts reissues no identities of earlier pods",
                    "renewed-identities",
                    "is not reissued at half of its lifetime",
                    "reconcile/JobCertificates",
                    "cache.renewals.getOrDefault(pod.pod(), pod.created().plus(CertificateAuthority.RENEWAL_AGE)));",
                    "cache.renewals.getOrDefault(pod.pod(), Instant.MAX));"),
            row(
                    "pods are replaced to renew their identities",
                    "renewed-identities",
                    "which the job needs",
                    "reconcile/JobCertificates",
                    "write(job, cache, pod.pod());",
                    "client.pods().inNamespace(job.getMetadata().getNamespace()).withName(pod.name()).delete();"),
            row(
                    "deleted Secrets are not created again",
                    "deleted-secrets",
                    "is not created again",
                    "reconcile/JobCertificates",
                    "if (due.isEmpty()) {",
                    "if (true) {"),
            row(
                    "a deleted authority is replaced by another one",
                    "deleted-secrets",
                    "has another key",
                    "reconcile/JobCertificates",
                    "client.resource(IdentitySecrets.authority(job, of(job))).create();",
                    "known.clear(); of(job);"),
            row(
                    "a job fails at its deadline while its result is stored",
                    "stored-after-deadline",
                    "the workers store a certified result",
                    "plan/EnforceLimits",
                    "Duration patience = mayBeStoring(observation, phase) ? WORKERS_FIRST.plus(STORING) : WORKERS_FIRST;",
                    "Duration patience = WORKERS_FIRST;"),
            row(
                    "spawners with a result that could not be stored are deleted",
                    "storage-takes-nothing",
                    "holds the result that no client has fetched",
                    "plan/JudgeResult",
                    "&& plan.status().resultLocation() == null",
                    "&& plan.status().resultLocation() != null"),
            row(
                    "the place of a stored result is not shown",
                    "stored-on-volume",
                    "these objects are left",
                    "plan/ApplyJobReport",
                    "next.resultLocation = report.results().location().orElse(next.resultLocation);",
                    "next.resultLocation = null;"),
            row(
                    "a job with a time to live is deleted at once",
                    "stored-in-object-store",
                    "before 60 s have passed",
                    "plan/TimeToLive",
                    "return Optional.of(new TimeToLive(start.plus(all), start.plus(all.dividedBy(2))));",
                    "return Optional.of(new TimeToLive(start, start));"));

    @BeforeAll
    static void injectedFailuresAreNotLogged() {
        LOG.setLevel(Level.OFF);
    }

    @TestFactory
    Stream<DynamicTest> everyMutantIsCaught() {
        return TABLE.stream().map(row -> DynamicTest.dynamicTest(row.bug(), () -> isCaught(row)));
    }

    private static void isCaught(Row row) {
        SimulatedRun run = row.mutant().load(OperatorRun.class);
        List<String> others = new ArrayList<>();
        for (long i = 0; i < SEEDS; i++) {
            long seed = (row.first() - 1 + i) % SEEDS + 1;
            for (String violation : run.run(row.scenario(), seed).violations()) {
                if (violation.contains(row.violation())) {
                    return;
                }
                others.add(seed + ": " + violation);
            }
        }
        fail(() -> "no seed has \"" + row.violation() + "\", but "
                + others.stream().limit(10).toList());
    }
}
