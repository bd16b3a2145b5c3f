// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster.client;

import dev.volary.cli.console.UsageException;
import dev.volary.job.manifest.NearestName;
import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Labels;
import dev.volary.job.resource.Names;
import dev.volary.job.resource.Ownership;
import dev.volary.mesh.tls.CertificateAuthority;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Accesses one namespace of a cluster through its API server. All methods throw {@link UsageException} for what the user can
 * correct (a name, a right, a context), and {@link IOException} if the API server cannot be reached or fails.
 */
public final class ClusterClient implements AutoCloseable {
    /** Attempts after the first; few, because a person waits for the error. */
    private static final int RETRIES = 2;

    private static final int NOT_AUTHENTICATED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int INVALID = 422;

    private final KubernetesClient client;
    private final String namespace;

    public ClusterClient(Config config, Optional<String> namespace) {
        this.namespace =
                namespace.or(() -> Optional.ofNullable(config.getNamespace())).orElse("default");
        this.client = new KubernetesClientBuilder().withConfig(config).build();
    }

    /**
     * Finds the API server as kubectl does. Connects with the first request.
     *
     * @param kubeconfig file; if empty, {@code KUBECONFIG}, {@code ~/.kube/config} or the service account of the pod
     * @param context context of the file; if empty, the current one
     * @param namespace if empty, the namespace of the context
     * @throws UsageException if the file or the context does not exist
     */
    public static ClusterClient connect(Optional<Path> kubeconfig, Optional<String> context, Optional<String> namespace)
            throws UsageException {
        if (kubeconfig.isPresent() && !Files.isReadable(kubeconfig.get())) {
            throw new UsageException("--kubeconfig is " + kubeconfig.get() + ", which cannot be read; check the path");
        }
        Config config;
        try {
            @Nullable String name = context.orElse(null);
            config = kubeconfig.isPresent()
                    ? Config.fromKubeconfig(name, kubeconfig.get().toFile())
                    : Config.autoConfigure(name);
        } catch (KubernetesClientException | IllegalArgumentException unreadable) {
            throw new UsageException("the kubeconfig cannot be parsed: " + unreadable.getMessage()
                    + "; check it with `kubectl config view`");
        }
        List<String> contexts =
                config.getContexts().stream().map(c -> c.getName()).sorted().toList();
        if (context.isPresent() && !contexts.contains(context.get())) {
            throw new UsageException(
                    "--context is " + context.get() + ", which is not in the kubeconfig; its contexts: "
                            + (contexts.isEmpty() ? "none" : String.join(", ", contexts)));
        }
        config.setRequestRetryBackoffLimit(RETRIES);
        return new ClusterClient(config, namespace);
    }

    /** The namespace of jobs and pods. */
    public String namespace() {
        return namespace;
    }

    /** The job of this name. */
    public IterativeJob job(String name) throws UsageException, IOException {
        IterativeJob job = ask("read IterativeJobs", () -> handle(name).get());
        if (job != null) {
            return job;
        }
        List<String> known = ask(
                "list IterativeJobs",
                () -> client.resources(IterativeJob.class).inNamespace(namespace).list().getItems().stream()
                        .map(other -> other.getMetadata().getName())
                        .sorted()
                        .toList());
        String near =
                NearestName.of(name, known).map(n -> "did you mean " + n + "? ").orElse("");
        throw new UsageException("there is no job " + name + " in namespace " + namespace + "; " + near
                + (known.isEmpty()
                        ? "it has no jobs: name another namespace with --namespace"
                        : "its jobs: " + String.join(", ", known)));
    }

    /** Merges a patch (RFC 7396) into a job. */
    public IterativeJob change(String name, String patch) throws UsageException, IOException {
        return ask("change IterativeJobs", () -> handle(name).patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    private Resource<IterativeJob> handle(String name) {
        return client.resources(IterativeJob.class).inNamespace(namespace).withName(name);
    }

    /**
     * The pods of this job, all or those of a role, sorted by name; without pods that an earlier job of the same name left
     * behind.
     */
    public List<Pod> pods(IterativeJob job, Optional<PodRole> role) throws UsageException, IOException {
        String name = job.getMetadata().getName();
        return ask(
                "list pods",
                () -> client
                        .pods()
                        .inNamespace(namespace)
                        .withLabels(
                                role.map(one -> Labels.select(name, one.name())).orElse(Labels.select(name)))
                        .list()
                        .getItems()
                        .stream()
                        .filter(pod -> Ownership.isBy(job, pod))
                        .sorted(Comparator.comparing(
                                (Pod pod) -> pod.getMetadata().getName(), ClusterClient::compareNames))
                        .toList());
    }

    /** A handle for a pod, which may not exist. */
    public PodResource pod(String name) {
        return client.pods().inNamespace(namespace).withName(name);
    }

    /**
     * The notes of the events of a job with this reason, by resource version; empty if the user may not list events.
     */
    public Map<String, String> events(String job, String reason) {
        try {
            return client
                    .events()
                    .v1()
                    .events()
                    .inNamespace(namespace)
                    .withField("regarding.name", job)
                    .withField("reason", reason)
                    .list()
                    .getItems()
                    .stream()
                    .collect(Collectors.toMap(
                            event -> event.getMetadata().getResourceVersion(),
                            event -> Optional.ofNullable(event.getNote()).orElse(""),
                            (one, same) -> one,
                            HashMap::new));
        } catch (KubernetesClientException forbidden) {
            return new HashMap<>();
        }
    }

    /**
     * The certificate authority of a job. Its readers can impersonate any worker of the job and the operator: see
     * docs/reference/commands.md.
     *
     * @throws UsageException if the user may not read it, or the operator has not created it yet
     */
    public CertificateAuthority authority(IterativeJob of) throws UsageException, IOException {
        String job = of.getMetadata().getName();
        String name = Names.authority(job);
        Secret secret = ask(
                "read secret " + name + ", which this command needs to authenticate to the spawners",
                () -> client.secrets().inNamespace(namespace).withName(name).get());
        if (secret == null || secret.getData() == null) {
            throw new UsageException(
                    "secret " + name + " does not exist: the operator has not accepted the job yet, or has already"
                            + " cleaned it up; see `volary status " + job + "`");
        }
        if (!Ownership.isBy(of, secret)) {
            throw new UsageException(
                    "secret " + name + " does not belong to this job, but to another owner or to an earlier job of"
                            + " the same name; see `volary status " + job + "`");
        }
        try {
            CertificateAuthority authority = CertificateAuthority.of(
                    namespace,
                    job,
                    text(secret.getData(), Names.AUTHORITY_CERTIFICATE),
                    text(secret.getData(), Names.AUTHORITY_KEY));
            if (!authority.isOf(of.getMetadata().getUid())) {
                throw new UsageException("secret " + name + " holds the authority of another job, "
                        + authority.certificate().getSubjectX500Principal()
                        + "; delete it and the pods of the job, and the operator creates a new one");
            }
            return authority;
        } catch (GeneralSecurityException | IllegalArgumentException broken) {
            throw new IOException(
                    "secret " + name + " does not contain a certificate authority: " + broken.getMessage(), broken);
        }
    }

    private static String text(Map<String, String> data, String key) {
        return new String(Base64.getDecoder().decode(data.getOrDefault(key, "")), StandardCharsets.US_ASCII);
    }

    /**
     * Sends a request to the API server.
     *
     * @param what the request does, for example "list pods"
     */
    <T> T ask(String what, Supplier<T> request) throws UsageException, IOException {
        try {
            return request.get();
        } catch (KubernetesClientException e) {
            String said = e.getStatus() != null && e.getStatus().getMessage() != null
                    ? e.getStatus().getMessage()
                    : String.valueOf(e.getMessage());
            switch (e.getCode()) {
                case NOT_AUTHENTICATED ->
                    throw new UsageException("the API server at " + client.getMasterUrl()
                            + " rejected your credentials; log in again, or name another --context");
                case FORBIDDEN ->
                    throw new UsageException("you may not " + what + " in namespace " + namespace + ": " + said
                            + "; ask an administrator for that right, or name another --context");
                case NOT_FOUND ->
                    throw new UsageException("the cluster at " + client.getMasterUrl() + " cannot " + what + ": " + said
                            + "; install the Volary chart there, or name another --context");
                case CONFLICT, INVALID -> throw new UsageException(said);
                default ->
                    throw new IOException(
                            "the API server at " + client.getMasterUrl() + " failed to " + what + ": " + deepest(e)
                                    + "; check the kubeconfig and --context",
                            e);
            }
        }
    }

    private static String deepest(Throwable failure) {
        Throwable at = failure;
        while (at.getCause() != null) {
            at = at.getCause();
        }
        return at instanceof UnknownHostException
                ? "unknown host " + at.getMessage()
                : at.getMessage() == null ? at.toString() : at.getMessage();
    }

    @Override
    public void close() {
        client.close();
    }

    /** Name of a pod. */
    public static String podName(Pod pod) {
        return pod.getMetadata().getName();
    }

    /** Whether its containers run and it is not being deleted. */
    public static boolean isRunning(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus() != null
                && "Running".equals(pod.getStatus().getPhase());
    }

    /** How often its worker was started; empty before the first start. */
    public static Optional<Integer> starts(Pod pod) {
        return pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getContainerStatuses().stream()
                        .filter(c -> c.getName().equals(Names.CONTAINER))
                        .filter(c -> c.getContainerID() != null
                                && !c.getContainerID().isEmpty())
                        .map(ContainerStatus::getRestartCount)
                        .map(restarts -> restarts + 1)
                        .findFirst();
    }

    /** Orders pod names by the part before the last dash, then by the number after it: {@code d-2} before {@code d-10}. */
    public static int compareNames(String a, String b) {
        int byStem = stem(a).compareTo(stem(b));
        int byLength = Integer.compare(a.length(), b.length());
        return byStem != 0 ? byStem : byLength != 0 ? byLength : a.compareTo(b);
    }

    private static String stem(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('-')));
    }
}
