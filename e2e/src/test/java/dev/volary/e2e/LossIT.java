package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers are lost while they compute; the job ends with its certificate all the same, and no retry is used up. */
@OnCluster
class LossIT {
    @TempDir
    Path folder;

    @Test
    void aDaemonDeletedWithoutGraceIsReplaced() throws Exception {
        try (ClusterJob job = new ClusterJob("daemon-deleted", Specs.minute())) {
            job.awaitRunning();
            Map<String, String> before = job.pods();
            String victim = job.name() + "-d-0";
            Kubectl.run("-n", job.namespace(), "delete", "pod", victim, "--grace-period=0", "--force");
            job.until(
                    "has a new pod",
                    () -> job.pods().size() == before.size() && !job.pods().containsValue(before.get(victim)));
            job.until("counts the loss", () -> job.count("replacements", "total") == 1);
            job.awaitSuccess();
            assertEquals(0, job.count("retriesUsed"));
            Certificates.check(Fetched.of(job, folder));
        }
    }

    @Test
    void aDaemonKilledInItsContainerStartsAgainInItsPod() throws Exception {
        try (ClusterJob job = new ClusterJob("daemon-killed", Specs.minute())) {
            job.awaitRunning();
            String victim = job.name() + "-d-0";
            String uid = String.valueOf(job.pods().get(victim));
            job.until("loses the process", () -> {
                boolean killed = false;
                for (String pod : job.pods().keySet()) {
                    if (!killed && pod.startsWith(job.name() + "-s-")) { // one of them looks after it
                        try (Spawner spawner = Spawner.of(job, pod)) {
                            killed = spawner.client()
                                    .kill(List.of(victim))
                                    .getKilledList()
                                    .contains(victim);
                        }
                    }
                }
                return killed;
            });
            job.until("starts the container again", () -> job.restarts(victim) == 1);
            assertEquals(uid, job.pods().get(victim));
            job.awaitSuccess();
            assertEquals(0, job.count("retriesUsed"));
            Certificates.check(Fetched.of(job, folder));
        }
    }

    @Test
    void theLeadDeletedWithoutGraceIsReplaced() throws Exception {
        try (ClusterJob job = new ClusterJob("lead-deleted", Specs.minute())) {
            job.awaitRunning();
            String lead = job.status("leader");
            Kubectl.run("-n", job.namespace(), "delete", "pod", lead, "--grace-period=0", "--force");
            job.until(
                    "has another lead",
                    () -> !job.status("leader").isEmpty()
                            && !job.status("leader").equals(lead));
            assertFalse(job.pods().containsKey(lead));
            job.awaitSuccess();
            assertEquals(0, job.count("retriesUsed"));
            Certificates.check(Fetched.of(job, folder));
        }
    }

    @Test
    void aJobDoesNotNoticeThatTheOperatorIsAway() throws Exception {
        try (ClusterJob job = new ClusterJob("operator-away", Specs.minute())) {
            job.awaitRunning();
            String replicas = Operator.replicas();
            Operator.scale("0");
            try {
                Kubectl.run("-n", job.namespace(), "delete", "pod", job.name() + "-d-0", "--grace-period=0", "--force");
                job.until("is over, says its lead", () -> job.spawnersSaid().contains("the job is over: Certified"));
            } finally {
                Operator.scale(replicas);
            }
            job.awaitSuccess();
            Certificates.check(Fetched.of(job, folder));
        }
    }
}
