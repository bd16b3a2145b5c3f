// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.cluster.client.ClusterClient;
import dev.volary.cli.cluster.client.PodRole;
import dev.volary.cli.console.UsageException;
import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Names;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import io.fabric8.kubernetes.client.dsl.Loggable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads the logs of the workers' containers. */
final class PodLogs {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    private final ClusterClient cluster;
    private final Optional<Integer> tail;
    private final PrefixedLines lines;
    private final Consumer<String> notice;

    /** The log of one start of a worker container, and the thread that copies it. */
    private record Followed(int start, Thread reader) {}

    /**
     * @param tail number of last lines of each log; empty for all
     * @param notice receives a message for each log that cannot be read
     */
    PodLogs(ClusterClient cluster, Optional<Integer> tail, PrefixedLines lines, Consumer<String> notice) {
        this.cluster = cluster;
        this.tail = tail;
        this.lines = lines;
        this.notice = notice;
    }

    /** Prints what a pod has logged since its last start. */
    void print(Pod pod) {
        if (ClusterClient.starts(pod).isEmpty()) {
            notice.accept(ClusterClient.podName(pod) + " has not started yet");
            return;
        }
        try (InputStream log = log(ClusterClient.podName(pod)).getLogInputStream()) {
            lines.copy(ClusterClient.podName(pod), log);
        } catch (IOException | KubernetesClientException e) {
            notice.accept("the log of " + ClusterClient.podName(pod) + " cannot be read: " + e.getMessage());
        }
    }

    /**
     * Follows the logs of all pods, including new ones, until the job has ended or was replaced and every log has been read.
     */
    void follow(IterativeJob job, Optional<PodRole> role) throws UsageException, IOException, InterruptedException {
        Map<String, Followed> followed = new HashMap<>();
        while (true) {
            IterativeJob now = cluster.job(job.getMetadata().getName());
            boolean replaced =
                    !now.getMetadata().getUid().equals(job.getMetadata().getUid());
            boolean ended = replaced || StatusText.phase(now).isFinal();
            for (Pod pod : cluster.pods(job, role)) {
                Followed before = followed.get(ClusterClient.podName(pod));
                Optional<Integer> start = ClusterClient.starts(pod);
                if (start.isPresent() && (before == null || start.get() > before.start)) {
                    followed.put(
                            ClusterClient.podName(pod), new Followed(start.get(), reader(ClusterClient.podName(pod))));
                }
            }
            if (ended && followed.values().stream().noneMatch(f -> f.reader.isAlive())) {
                return;
            }
            Thread.sleep(POLL_INTERVAL);
        }
    }

    private Thread reader(String pod) {
        return Thread.ofVirtual().name("log of " + pod).start(() -> {
            try (LogWatch watch = log(pod).watchLog()) {
                lines.copy(pod, watch.getOutput());
            } catch (IOException | KubernetesClientException e) {
                notice.accept("the log of " + pod + " ends here: " + e.getMessage());
            }
        });
    }

    private Loggable log(String pod) {
        // by default the client waits until the pod is ready, but the log of a pod that is not ready matters most
        var container = cluster.pod(pod).inContainer(Names.CONTAINER).withReadyWaitTimeout(0);
        return tail.isPresent() ? container.tailingLines(tail.get()) : container;
    }
}
