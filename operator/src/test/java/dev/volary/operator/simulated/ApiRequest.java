// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.simulated;

import java.util.List;

/**
 * A request to the API server.
 *
 * @param verb as in a role: get, create, update, patch, delete
 * @param resource plural name of the kind, as {@code pods}
 * @param namespace of the object; empty for none
 * @param name of the object; empty for a request that creates one
 * @param subresource as {@code status}; empty for none
 * @param contentType of the body; empty for none
 * @param body as sent; empty for none
 */
public record ApiRequest(
        String verb,
        String resource,
        String namespace,
        String name,
        String subresource,
        String contentType,
        String body) {

    /** Reads a request from its method and path. */
    public static ApiRequest of(String method, String path, String contentType, String body) {
        List<String> parts = List.of(path.substring(1).split("/", -1));
        int at = parts.getFirst().equals("api") ? 2 : 3;
        String namespace = "";
        if (parts.get(at).equals("namespaces") && parts.size() > at + 2) {
            namespace = parts.get(at + 1);
            at += 2;
        }
        return new ApiRequest(
                verb(method),
                parts.get(at),
                namespace,
                at + 1 < parts.size() ? parts.get(at + 1) : "",
                at + 2 < parts.size() ? parts.get(at + 2) : "",
                contentType,
                body);
    }

    private static String verb(String method) {
        return switch (method) {
            case "GET" -> "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> "delete";
            default -> throw new IllegalArgumentException(method);
        };
    }

    /** Whether it changes nothing. */
    public boolean isRead() {
        return verb.equals("get");
    }

    /** Verb and resource, as {@code patch iterativejobs/status}. */
    public String operation() {
        return verb + " " + resource + (subresource.isEmpty() ? "" : "/" + subresource);
    }

    @Override
    public String toString() {
        return operation() + " " + name;
    }
}
