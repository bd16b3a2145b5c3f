// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.simulated;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stores objects as an API server does: UIDs, versions, generations, optimistic locking, preconditions, grace periods, the status
 * subresource and the answers to requests that fail. Stored objects are never changed in place. Requests execute at once; who
 * sends them lets time pass.
 */
public final class SimulatedApiServer {
    static final String JOBS = "iterativejobs";
    static final String PODS = "pods";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** What happened to an object. */
    public enum ChangeKind {
        ADDED,
        MODIFIED,
        DELETED
    }

    /**
     * A change of an object.
     *
     * @param kind what happened
     * @param resource plural name of its kind
     * @param object after the change; of a deleted object its last state
     */
    public record Change(ChangeKind kind, String resource, ObjectNode object) {}

    private final VirtualTime time;
    private final Map<String, ObjectNode> objects = new TreeMap<>();
    private final List<Consumer<Change>> listeners = new ArrayList<>();
    private Function<ObjectNode, Optional<String>> podQuota = pod -> Optional.empty();
    private long version;
    private long uids;

    public SimulatedApiServer(VirtualTime time) {
        this.time = time;
    }

    /** Calls {@code listener} with each change, in order. */
    public void onChange(Consumer<Change> listener) {
        listeners.add(listener);
    }

    /** Refuses new pods with 403 for which {@code quota} returns a message. */
    public void refusePods(Function<ObjectNode, Optional<String>> quota) {
        podQuota = quota;
    }

    /** The newest version. */
    public long version() {
        return version;
    }

    /** An object as it is now. */
    public @Nullable ObjectNode get(String resource, String namespace, String name) {
        return objects.get(key(resource, namespace, name));
    }

    /** All objects of a kind, by name. */
    public List<ObjectNode> list(String resource) {
        return objects.entrySet().stream()
                .filter(e -> e.getKey().startsWith(resource + "/"))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** All objects with the plural names of their kinds. */
    public Map<String, ObjectNode> all() {
        return new TreeMap<>(objects);
    }

    /** Changes an object as a controller of the cluster does, which does not fail; does nothing if there is none. */
    public void change(String resource, String namespace, String name, Consumer<ObjectNode> change) {
        ObjectNode before = get(resource, namespace, name);
        if (before != null) {
            ObjectNode next = before.deepCopy();
            change.accept(next);
            if (!next.equals(before)) {
                if (resource.equals(JOBS) && !Objects.equals(next.get("spec"), before.get("spec"))) {
                    meta(next).put("generation", meta(before).path("generation").asLong() + 1);
                }
                store(ChangeKind.MODIFIED, resource, next);
            }
        }
    }

    /** Removes an object at once. */
    public void remove(String resource, String namespace, String name) {
        ObjectNode removed = objects.remove(key(resource, namespace, name));
        if (removed != null) {
            ObjectNode last = removed.deepCopy();
            meta(last).put("resourceVersion", Long.toString(++version));
            listeners.forEach(listener -> listener.accept(new Change(ChangeKind.DELETED, resource, last)));
        }
    }

    /** Executes a request. */
    public ApiAnswer execute(ApiRequest request) {
        ObjectNode found = get(request.resource(), request.namespace(), request.name());
        if (request.verb().equals("create")) {
            return create(request, parse(request.body()));
        }
        if (request.isRead() && request.name().isEmpty()) {
            return ApiAnswer.ok(listOf(request.resource()));
        }
        if (found == null) {
            return ApiAnswer.failure(404, "NotFound", request.resource() + " \"" + request.name() + "\" not found");
        }
        return switch (request.verb()) {
            case "get" -> ApiAnswer.ok(found);
            case "update" -> update(request, found, parse(request.body()));
            case "delete" -> delete(request, found);
            case "patch" ->
                request.subresource().equals("status")
                        ? applyStatus(request, found, parse(request.body()))
                        : jsonPatch(request, found);
            default -> throw new IllegalArgumentException(request.verb());
        };
    }

    /** All objects of a kind, without regard to selectors: clients must check the owner anyway. */
    private ObjectNode listOf(String resource) {
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        list.put("kind", resource.equals(PODS) ? "PodList" : "List").put("apiVersion", "v1");
        list.putObject("metadata").put("resourceVersion", Long.toString(version));
        list.putArray("items").addAll(list(resource));
        return list;
    }

    private ApiAnswer create(ApiRequest request, ObjectNode object) {
        ObjectNode meta = meta(object);
        String name = meta.path("name").asText();
        meta.put("namespace", request.namespace());
        if (get(request.resource(), request.namespace(), name) != null) {
            return ApiAnswer.failure(409, "AlreadyExists", request.resource() + " \"" + name + "\" already exists");
        }
        if (request.resource().equals(PODS)) {
            Optional<String> refusal = podQuota.apply(object);
            if (refusal.isPresent()) {
                return ApiAnswer.failure(403, "Forbidden", refusal.get());
            }
            object.putObject("status").put("phase", "Pending");
        }
        meta.put("uid", "uid-" + ++uids);
        meta.put("creationTimestamp", time.now().truncatedTo(ChronoUnit.SECONDS).toString());
        if (request.resource().equals(JOBS)) {
            meta.put("generation", 1);
        }
        return new ApiAnswer(201, store(ChangeKind.ADDED, request.resource(), object));
    }

    private ApiAnswer update(ApiRequest request, ObjectNode found, ObjectNode object) {
        Optional<ApiAnswer> conflict = conflict(request, found, meta(object));
        if (conflict.isPresent()) {
            return conflict.get();
        }
        for (String kept : List.of("uid", "creationTimestamp", "namespace")) {
            meta(object).set(kept, meta(found).get(kept));
        }
        meta(object).set("resourceVersion", meta(found).get("resourceVersion"));
        return ApiAnswer.ok(object.equals(found) ? found : store(ChangeKind.MODIFIED, request.resource(), object));
    }

    /** Applies a status of which one manager owns all fields: those that it does not name any more are removed. */
    private ApiAnswer applyStatus(ApiRequest request, ObjectNode found, ObjectNode object) {
        Optional<ApiAnswer> conflict = conflict(request, found, meta(object));
        if (conflict.isPresent()) {
            return conflict.get();
        }
        ObjectNode next = found.deepCopy();
        next.set("status", object.path("status").deepCopy());
        return ApiAnswer.ok(next.equals(found) ? found : store(ChangeKind.MODIFIED, request.resource(), next));
    }

    /** Executes the operations {@code test} and {@code add} on fields of objects. */
    private ApiAnswer jsonPatch(ApiRequest request, ObjectNode found) {
        ObjectNode next = found.deepCopy();
        for (JsonNode operation : parseAny(request.body())) {
            String path = operation.path("path").asText();
            if (operation.path("op").asText().equals("test")) {
                if (!next.at(path).equals(operation.get("value"))) {
                    return ApiAnswer.failure(422, "Invalid", "the server rejected our request: test of " + path);
                }
            } else {
                int last = path.lastIndexOf('/');
                ((ObjectNode) next.at(path.substring(0, last))).set(path.substring(last + 1), operation.get("value"));
            }
        }
        return ApiAnswer.ok(next.equals(found) ? found : store(ChangeKind.MODIFIED, request.resource(), next));
    }

    private ApiAnswer delete(ApiRequest request, ObjectNode found) {
        JsonNode options = request.body().isEmpty() ? JsonNodeFactory.instance.objectNode() : parse(request.body());
        JsonNode preconditions = options.path("preconditions");
        Optional<ApiAnswer> conflict = conflict(request, found, preconditions);
        if (conflict.isPresent()) {
            return conflict.get();
        }
        boolean isScheduled = !found.path("spec").path("nodeName").asText().isEmpty();
        if (request.resource().equals(PODS) && isScheduled) {
            if (!meta(found).has("deletionTimestamp")) {
                change(
                        request.resource(),
                        request.namespace(),
                        request.name(),
                        pod -> meta(pod)
                                .put(
                                        "deletionTimestamp",
                                        time.now()
                                                .truncatedTo(ChronoUnit.SECONDS)
                                                .toString()));
            }
        } else {
            remove(request.resource(), request.namespace(), request.name());
        }
        return ApiAnswer.ok(found);
    }

    private static Optional<ApiAnswer> conflict(ApiRequest request, ObjectNode found, JsonNode wanted) {
        for (String field : List.of("uid", "resourceVersion")) {
            String value = wanted.path(field).asText();
            if (!value.isEmpty() && !value.equals(meta(found).path(field).asText())) {
                return Optional.of(ApiAnswer.failure(
                        409,
                        "Conflict",
                        "Operation cannot be fulfilled on " + request.resource() + " \"" + request.name()
                                + "\": the object has been modified; please apply your changes to the latest version"
                                + " and try again"));
            }
        }
        return Optional.empty();
    }

    private ObjectNode store(ChangeKind kind, String resource, ObjectNode object) {
        meta(object).put("resourceVersion", Long.toString(++version));
        objects.put(
                key(
                        resource,
                        meta(object).path("namespace").asText(),
                        meta(object).path("name").asText()),
                object);
        listeners.forEach(listener -> listener.accept(new Change(kind, resource, object)));
        return object;
    }

    private static String key(String resource, String namespace, String name) {
        return resource + "/" + namespace + "/" + name;
    }

    /** The metadata of an object. */
    public static ObjectNode meta(JsonNode object) {
        return (ObjectNode) object.get("metadata");
    }

    /** The UID of an object. */
    public static String uid(JsonNode object) {
        return meta(object).path("uid").asText();
    }

    /** The name of an object. */
    public static String name(JsonNode object) {
        return meta(object).path("name").asText();
    }

    /** The UID of the controller owner of an object; empty if it has none. */
    public static String owner(JsonNode object) {
        for (JsonNode owner : meta(object).path("ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                return owner.path("uid").asText();
            }
        }
        return "";
    }

    static ObjectNode parse(String json) {
        return (ObjectNode) parseAny(json);
    }

    private static JsonNode parseAny(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(json, e);
        }
    }
}
