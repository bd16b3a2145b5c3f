// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static dev.volary.operator.reconcile.PlayedCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.resource.Phase;
import dev.volary.job.testkit.NeedsApiServer;
import dev.volary.operator.spawner.JobReport;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests of the operator fail, against a real API server: it goes on by itself, and the status says what failed. */
@NeedsApiServer
class FailedAttemptsTest {
    private static final String ACCOUNT = "operator";
    private static final double RESIDUAL = 5e-7;

    @RegisterExtension
    static final ApiServerExtension SERVER = new ApiServerExtension();

    @AutoClose
    private final PlayedCluster cluster = new PlayedCluster(SERVER.api());

    @Test
    void eachKindOfFailureOfAPollShowsOnceAndTheJobStillSucceeds() {
        cluster.operator("a");
        runningJob();
        List<Throwable> failures = List.of(
                answer(403, "secrets \"volary-heat-ca\" is forbidden"),
                answer(404, "namespaces \"lab\" not found"),
                answer(500, "etcdserver: leader changed"),
                new KubernetesClientException(
                        "Operation: [get] for kind: [Secret] failed", new SocketTimeoutException("timeout")),
                new IOException("secret volary-heat-ca holds no usable authority"),
                new IllegalStateException("the event loop has ended"),
                new NoClassDefFoundError("dev/volary/Missing"));
        for (Throwable failure : failures) {
            cluster.spawners.failing.add(failure);
            until().until(() -> cluster.condition("heat", "Reconciled").equals("False PollFailed"));
            String message = cluster.message("heat", "Reconciled");
            assertTrue(message.contains(FailedAttempts.cause(failure)), message);
            until().until(() -> cluster.condition("heat", "Reconciled").equals("True Reconciled"));
        }
        until().until(() -> cluster.notes("heat", "ReconcileFailed").size() == failures.size());
        cluster.spawners.say("heat", cluster.report("heat", JobReport.Stage.FINISHED, certified(), RESIDUAL));
        until().until(() -> cluster.phase("heat") == Phase.Succeeded);
    }

    @Test
    void aFailureThatRepeatsItselfIsWrittenOnce() {
        cluster.operator("a");
        runningJob();
        for (int attempt = 0; attempt < 4; attempt++) {
            cluster.spawners.failing.add(answer(403, "secrets \"volary-heat-ca\" is forbidden, attempt " + attempt));
        }
        until().until(() -> cluster.condition("heat", "Reconciled").equals("False PollFailed"));
        long patches = cluster.metrics.patches();
        until().until(() -> cluster.spawners.failing.size() == 1);
        assertEquals(patches, cluster.metrics.patches());
        until().until(() -> cluster.condition("heat", "Reconciled").equals("True Reconciled"));
        assertEquals(1, cluster.notes("heat", "ReconcileFailed").size());
    }

    @Test
    void aHintThatFailsIsPassedOnAgain() {
        cluster.operator("a");
        runningJob();
        cluster.spawners.hintsFailing.add(answer(500, "etcdserver: leader changed"));
        cluster.spawners.hintsFailing.add(new IOException("heat-s-0 does not answer"));
        cluster.client
                .pods()
                .inNamespace(cluster.namespace)
                .withName("heat-d-0")
                .withGracePeriod(0)
                .delete();
        until().until(() -> cluster.spawners.hints.stream().anyMatch(hint -> hint.startsWith("heat-d-0 ")));
        assertEquals(0, cluster.spawners.hintsFailing.size());
    }

    @Test
    void onceTheRightToSecretsIsGrantedAgainAnotherOperatorFollowsTheJobToItsEnd() throws IOException {
        ChartRights.grant(cluster.client, cluster.namespace, ACCOUNT);
        RunningOperator first = cluster.operator("a", limited(), cluster::asking);
        runningJob();
        List<PolicyRule> rules = withdraw("secrets");
        cluster.stop(first);
        cluster.operator("b", limited(), cluster::asking);
        cluster.spawners.say("heat", cluster.report("heat", JobReport.Stage.FINISHED, certified(), RESIDUAL));
        until().until(() -> cluster.condition("heat", "Reconciled").equals("False PollFailed"));
        String message = cluster.message("heat", "Reconciled");
        assertTrue(message.contains("secrets \"volary-heat-ca\" is forbidden"), message);
        assertTrue(message.contains("grant the operator the rights that its chart lists"), message);
        // Four polls fail, so that one ends by itself would be seen.
        until().during(Duration.ofSeconds(15)).until(() -> cluster.phase("heat") == Phase.Running);
        give(rules);
        until().until(() -> cluster.phase("heat") == Phase.Succeeded);
        until().until(() -> cluster.condition("heat", "Reconciled").equals("True Reconciled"));
        assertEquals("5.000e-07", cluster.status("heat").certifiedResidual());
    }

    @Test
    void aReconciliationThatMayNotReadSecretsReportsThatAndStillPolls() throws IOException {
        ChartRights.grant(cluster.client, cluster.namespace, ACCOUNT);
        RunningOperator first = cluster.operator("a", limited(), authorities -> cluster.spawners);
        runningJob();
        List<PolicyRule> rules = withdraw("secrets");
        cluster.stop(first);
        cluster.client
                .pods()
                .inNamespace(cluster.namespace)
                .withName("heat-d-0")
                .withGracePeriod(0)
                .delete();
        int polls = cluster.spawners.polls.get();
        cluster.operator("b", limited(), authorities -> cluster.spawners);
        until().until(() -> cluster.condition("heat", "Reconciled").equals("False PassFailed"));
        until().until(() -> cluster.spawners.polls.get() > polls);
        give(rules);
        until().until(() -> cluster.pods().size() == 2);
        until().until(() -> cluster.condition("heat", "Reconciled").equals("True Reconciled"));
        assertEquals(1, cluster.notes("heat", "ReconcileFailed").size());
    }

    @Test
    void aQuotaWithoutSecretsIsNamedInTheStatusAndOvercome() {
        Map<String, Quantity> none = Map.of("secrets", new Quantity("0"));
        cluster.client
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("none")
                        .withNamespace(cluster.namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withHard(none)
                        .endSpec()
                        .build())
                .create();
        // No controller counts here but admission itself, which begins from the status.
        cluster.client
                .resourceQuotas()
                .inNamespace(cluster.namespace)
                .withName("none")
                .editStatus(quota -> new ResourceQuotaBuilder(quota)
                        .withNewStatus()
                        .withHard(none)
                        .withUsed(none)
                        .endStatus()
                        .build());
        cluster.operator("a");
        cluster.apply("heat", "heat2d");
        until().until(() -> cluster.condition("heat", "Reconciled").equals("False PassFailed"));
        String message = cluster.message("heat", "Reconciled");
        assertTrue(message.contains("exceeded quota: none"), message);
        assertTrue(message.endsWith("raise the ResourceQuota of the namespace"), message);
        until().until(() -> cluster.notes("heat", "ReconcileFailed").size() == 1);
        long patches = cluster.metrics.patches();
        long passes = cluster.metrics.reconciles();
        until().until(() -> cluster.metrics.reconciles() >= passes + 3);
        assertEquals(patches, cluster.metrics.patches(), "patches for a cause that is in the status");
        cluster.client
                .resourceQuotas()
                .inNamespace(cluster.namespace)
                .withName("none")
                .delete();
        until().until(() -> cluster.pods().equals(Set.of("heat-s-0", "heat-d-0")));
        until().until(() -> cluster.condition("heat", "Reconciled").equals("True Reconciled"));
    }

    @Test
    void aStatusThatCannotBeWrittenIsTriedAgain() throws IOException {
        ChartRights.grant(cluster.client, cluster.namespace, ACCOUNT);
        List<PolicyRule> rules = withdraw("iterativejobs/status");
        cluster.operator("a", limited(), authorities -> cluster.spawners);
        cluster.apply("heat", "heat2d");
        until().until(() -> cluster.metrics.refused() >= 2);
        give(rules);
        until().until(() -> cluster.pods().equals(Set.of("heat-s-0", "heat-d-0")));
    }

    private void runningJob() {
        cluster.apply("heat", "heat2d");
        until().until(() -> cluster.pods().equals(Set.of("heat-s-0", "heat-d-0")));
        cluster.spawners.say("heat", cluster.report("heat", JobReport.Stage.RUNNING, null, RESIDUAL));
        until().until(() -> cluster.condition("heat", "Ready").equals("True EnoughDaemons"));
    }

    private Config limited() {
        Config limited = cluster.access();
        limited.setImpersonateUsername("system:serviceaccount:" + cluster.namespace + ":" + ACCOUNT);
        limited.setImpersonateGroups("system:serviceaccounts", "system:authenticated");
        return limited;
    }

    /** Takes the right to a resource from the operator; returns the rules as they were. */
    private List<PolicyRule> withdraw(String resource) {
        var role = cluster.client.rbac().roles().inNamespace(cluster.namespace).withName(ACCOUNT);
        List<PolicyRule> before = role.get().getRules();
        List<PolicyRule> left = new ArrayList<>(before);
        assertTrue(left.removeIf(rule -> rule.getResources().contains(resource)));
        give(left);
        return before;
    }

    private void give(List<PolicyRule> rules) {
        cluster.client
                .rbac()
                .roles()
                .inNamespace(cluster.namespace)
                .withName(ACCOUNT)
                .edit(role -> {
                    role.setRules(rules);
                    return role;
                });
    }

    private static JobReport.End certified() {
        return new JobReport.End.Certified(RESIDUAL);
    }

    private static KubernetesClientException answer(int code, String message) {
        return new KubernetesClientException(
                new StatusBuilder().withCode(code).withMessage(message).build());
    }
}
