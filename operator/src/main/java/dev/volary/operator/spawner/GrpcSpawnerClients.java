// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.spawner;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Ports;
import dev.volary.job.spec.CheckpointSpec;
import dev.volary.mesh.spawnerapi.ApiChannels;
import dev.volary.mesh.spawnerapi.SpawnerClient;
import dev.volary.mesh.tls.IdentitySource;
import dev.volary.mesh.v1.CheckpointReply;
import dev.volary.mesh.v1.HintKind;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.protocol.model.Address;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Calls spawners over gRPC with the certificates of the job. Keeps one connection to each spawner. Safe for several threads.
 */
public final class GrpcSpawnerClients implements SpawnerClients {
    private static final Logger LOG = Logger.getLogger(GrpcSpawnerClients.class.getName());
    private static final Duration CHECKPOINT = Duration.ofMinutes(2);

    private final Map<String, Connections> jobs = new ConcurrentHashMap<>();
    private final ApiChannels channels = new ApiChannels("spawners");
    private final Identities identities;
    private final int port;

    /** Provides the identity with which the operator connects to the workers of a job. */
    @FunctionalInterface
    public interface Identities {
        /** @throws IOException if the certificate authority of the job cannot be read */
        IdentitySource of(IterativeJob job) throws IOException;
    }

    public GrpcSpawnerClients(Identities identities) {
        this(identities, Ports.CONTROL);
    }

    /** @param port port of all spawners */
    GrpcSpawnerClients(Identities identities, int port) {
        this.identities = identities;
        this.port = port;
    }

    @Override
    public Optional<JobReport> report(IterativeJob job, List<At> at) throws IOException {
        Map<String, StatusReply> replies = new TreeMap<>();
        @Nullable Exception failure = null;
        for (At spawner : at) {
            SpawnerClient client;
            try {
                client = client(job, spawner, at);
            } catch (IOException | RuntimeException e) {
                LOG.log(Level.WARNING, e, () -> spawner.pod() + " cannot be called");
                failure = e;
                continue;
            }
            try {
                // the operator needs no job events
                StatusReply reply = client.poll(job.getSpec().daemons().computing(), active(job));
                if (isFrom(job, spawner, reply)) {
                    replies.put(spawner.pod(), reply);
                }
            } catch (IOException e) {
                LOG.log(Level.FINE, e, () -> spawner.pod() + " does not answer");
            }
        }
        if (replies.isEmpty() && failure != null) {
            throw new IOException("no spawner can be called: " + failure.getMessage(), failure);
        }
        return replies.isEmpty() ? Optional.empty() : Optional.of(ReportMerger.of(replies));
    }

    private static Duration active(IterativeJob job) {
        JobStatus status = job.getStatus();
        return status == null ? Duration.ZERO : status.active(Instant.now());
    }

    /**
     * Whether a reply belongs to this job. A worker of an earlier job of the same name sends another UID. A worker of an older
     * version sends none; its certificate of this job is sufficient.
     */
    static boolean isFrom(IterativeJob job, At spawner, StatusReply reply) {
        String uid = job.getMetadata().getUid();
        if (reply.getJobUid().isEmpty() || reply.getJobUid().equals(uid)) {
            return true;
        }
        LOG.warning(() -> "ignoring the reply of " + spawner.pod() + " at " + spawner.address()
                + ": it belongs to the job with UID " + reply.getJobUid() + ", not of "
                + job.getMetadata().getName() + " with UID " + uid);
        return false;
    }

    @Override
    public void hint(IterativeJob job, List<At> at, String pod, Hint hint) throws IOException {
        @Nullable Exception failure = null;
        HintKind kind =
                switch (hint) {
                    case LEAVING -> HintKind.HINT_LEAVING;
                    case GONE -> HintKind.HINT_ENDED;
                };
        for (At spawner : at) {
            if (!spawner.pod().equals(pod)) {
                try {
                    client(job, spawner, at).hint(pod, kind);
                } catch (IOException | RuntimeException e) {
                    LOG.log(
                            Level.FINE,
                            e,
                            () -> spawner.pod() + " did not receive the hint that " + pod + " is " + hint);
                    failure = e;
                }
            }
        }
        if (failure != null) {
            throw new IOException("not every spawner received the hint that " + pod + " is " + hint, failure);
        }
    }

    @Override
    public Checkpoint checkpoint(IterativeJob job, List<At> at) {
        String failure = "no spawner answers";
        for (At spawner : at) {
            try {
                CheckpointReply reply = client(job, spawner, at).checkpoint(CHECKPOINT);
                CheckpointSpec spec = job.getSpec().checkpoint();
                String where = spec.volume() != null ? "on the volume" : "in the object store";
                return new Checkpoint(
                        reply.getKept() || !spec.hasStorage(),
                        text(reply) + (reply.getKept() ? ", " + where : spec.hasStorage() ? ", not " + where : ""));
            } catch (IOException | RuntimeException e) {
                failure = spawner.pod() + ": " + e.getMessage();
            }
        }
        return new Checkpoint(false, failure);
    }

    private static String text(CheckpointReply reply) {
        return String.format(Locale.ROOT, "snapshot %d, residual %.3e", reply.getSid(), reply.getResidual())
                + (reply.getStep() > 0 ? ", step " + reply.getStep() : "");
    }

    @Override
    public void forget(String uid) {
        Connections connections = jobs.remove(uid);
        if (connections != null) {
            connections.close();
        }
    }

    @Override
    public void close() {
        List.copyOf(jobs.keySet()).forEach(this::forget);
        channels.close();
    }

    private SpawnerClient client(IterativeJob job, At spawner, List<At> all) throws IOException {
        return jobs.computeIfAbsent(job.getMetadata().getUid(), uid -> new Connections())
                .to(job, spawner, all);
    }

    /** The connections of one job. */
    private final class Connections {
        private final Map<At, SpawnerClient> open =
                new TreeMap<>(Comparator.comparing(At::pod).thenComparing(At::address));

        synchronized SpawnerClient to(IterativeJob job, At spawner, List<At> all) throws IOException {
            for (Iterator<Map.Entry<At, SpawnerClient>> i = open.entrySet().iterator(); i.hasNext(); ) {
                Map.Entry<At, SpawnerClient> entry = i.next();
                if (!all.contains(entry.getKey())) {
                    i.remove();
                    close(entry.getKey(), entry.getValue());
                }
            }
            SpawnerClient client = open.get(spawner);
            if (client == null) {
                client = channels.spawner(new Address(spawner.address(), port), identities.of(job));
                open.put(spawner, client);
            }
            return client;
        }

        synchronized void close() {
            open.forEach(Connections::close);
            open.clear();
        }

        /** Closes a connection; logs a failure, so that the next connection can be opened. */
        private static void close(At spawner, SpawnerClient client) {
            try {
                client.close();
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, e, () -> "the connection to " + spawner.pod() + " cannot be closed");
            }
        }
    }
}
