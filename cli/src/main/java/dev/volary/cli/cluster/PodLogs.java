// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.UsageException;
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
    private static final Duration PACE = Duration.ofSeconds(1);

    private final ClusterClient cluster;
    private final Optional<Integer> tail;
    private final PrefixedLines lines;
    private final Consumer<String> notice;

    /** One start of a worker's container that is being followed, or was. */
    private record Followed(int start, Thread reader) {}

    /**
     * @param tail only so many of the last lines of each
     * @param notice told of a log that cannot be read
     */
    PodLogs(ClusterClient cluster, Optional<Integer> tail, PrefixedLines lines, Consumer<String> notice) {
        this.cluster = cluster;
        this.tail = tail;
        this.lines = lines;
        this.notice = notice;
    }

    /** What a pod has logged so far, since its last start. */
    void print(Pod pod) {
        if (Pods.starts(pod).isEmpty()) {
            notice.accept(Pods.name(pod) + " has not started yet");
            return;
        }
        try (InputStream log = log(Pods.name(pod)).getLogInputStream()) {
            lines.copy(Pods.name(pod), log);
        } catch (IOException | KubernetesClientException e) {
            notice.accept("the log of " + Pods.name(pod) + " cannot be read: " + e.getMessage());
        }
    }

    /** Follows all pods, and those that appear, until the job has ended, or another one has its name, and all has been read. */
    void follow(IterativeJob job, Optional<WorkerRole> role) throws UsageException, IOException, InterruptedException {
        Map<String, Followed> followed = new HashMap<>();
        while (true) {
            IterativeJob now = cluster.job(job.getMetadata().getName());
            boolean replaced =
                    !now.getMetadata().getUid().equals(job.getMetadata().getUid());
            boolean ended = replaced || StatusText.phase(now).isFinal();
            for (Pod pod : cluster.pods(job, role)) {
                Followed before = followed.get(Pods.name(pod));
                Optional<Integer> start = Pods.starts(pod);
                if (start.isPresent() && (before == null || start.get() > before.start)) {
                    followed.put(Pods.name(pod), new Followed(start.get(), reader(Pods.name(pod))));
                }
            }
            if (ended && followed.values().stream().noneMatch(f -> f.reader.isAlive())) {
                return;
            }
            Thread.sleep(PACE);
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
        // The client would wait until the pod is ready, but it is the log of one that is not that matters most.
        var container = cluster.pod(pod).inContainer(Names.CONTAINER).withReadyWaitTimeout(0);
        return tail.isPresent() ? container.tailingLines(tail.get()) : container;
    }
}
