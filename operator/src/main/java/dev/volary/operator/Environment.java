// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator;

import dev.volary.operator.reconcile.OperatorSettings;
import dev.volary.operator.resources.NetworkPolicies;
import dev.volary.operator.resources.WorkerImageConfig;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The settings that the chart passes as environment variables, for example {@code VOLARY_WATCH_NAMESPACES}. */
@ApplicationScoped
public class Environment {
    /** Namespaces to watch, separated by commas; all if empty. */
    @ConfigProperty(name = "volary.watch.namespaces")
    Optional<String> namespaces = Optional.empty();

    /** Whether the operator may read nodes. */
    @ConfigProperty(name = "volary.reads.nodes", defaultValue = "true")
    boolean readsNodes;

    /** Image of workers. */
    @ConfigProperty(name = "volary.worker.image")
    Optional<String> workerImage = Optional.empty();

    /** Pull policy of that image; the default of the cluster if empty. */
    @ConfigProperty(name = "volary.worker.pull.policy")
    Optional<String> workerPullPolicy = Optional.empty();

    /** Ephemeral storage that a spawner requests unless its template does; none if empty. */
    @ConfigProperty(name = "volary.spawner.disk")
    Optional<String> spawnerDisk = Optional.empty();

    /** Namespace of the operator's own pod. */
    @ConfigProperty(name = "volary.operator.namespace", defaultValue = "default")
    String namespace = "default";

    /** Name of the operator's own pod. */
    @ConfigProperty(name = "volary.operator.pod")
    Optional<String> pod = Optional.empty();

    /** Labels of the operator's pods, as {@code a=b,c=d}; network policies allow these pods to connect to spawners. */
    @ConfigProperty(name = "volary.operator.labels", defaultValue = "app.kubernetes.io/name=volary-operator")
    String labels = "";

    /** Who may read the metrics of workers: a JSON array of peers of a network policy; all if empty. */
    @ConfigProperty(name = "volary.scrape.from")
    Optional<String> scrapeFrom = Optional.empty();

    /** Whether replicas of the operator elect a leader. */
    @ConfigProperty(name = "volary.leader.election", defaultValue = "true")
    boolean election;

    /** Number of concurrent reconciliations. */
    @ConfigProperty(name = "volary.threads", defaultValue = "8")
    int threads;

    OperatorSettings settings() {
        String version = version();
        return new OperatorSettings(
                parts(namespaces.orElse("")).collect(Collectors.toSet()),
                readsNodes,
                pod.orElseGet(() -> "operator-" + ProcessHandle.current().pid()),
                election,
                true,
                threads,
                new WorkerImageConfig(
                        workerImage.orElse("volary-worker:" + version),
                        workerPullPolicy.orElse(""),
                        spawnerDisk.orElse(""),
                        version,
                        new NetworkPolicies.OperatorPods(namespace, pairs(labels)),
                        peers(scrapeFrom.orElse("[]"))),
                Optional.empty());
    }

    private static String version() {
        String version = Environment.class.getPackage().getImplementationVersion();
        return version == null ? "0.1.0-SNAPSHOT" : version;
    }

    private static Stream<String> parts(String text) {
        return Stream.of(text.split(",", -1)).map(String::strip).filter(part -> !part.isEmpty());
    }

    private static List<NetworkPolicyPeer> peers(String json) {
        try {
            return List.of(Serialization.unmarshal(json, NetworkPolicyPeer[].class));
        } catch (KubernetesClientException e) {
            throw new IllegalArgumentException(
                    "VOLARY_SCRAPE_FROM is " + json
                            + ", which is no JSON array of peers of a network policy; correct it",
                    e);
        }
    }

    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new TreeMap<>();
        parts(text).forEach(part -> {
            int equals = part.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("VOLARY_OPERATOR_LABELS has \"" + part
                        + "\", which does not have the form name=value; correct it");
            }
            pairs.put(part.substring(0, equals), part.substring(equals + 1));
        });
        return pairs;
    }
}
