// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.simulated;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * An answer of the API server.
 *
 * @param code HTTP status
 * @param body the object, or a {@code Status} that says why the request failed
 */
public record ApiAnswer(int code, ObjectNode body) {
    /** A success. */
    public static ApiAnswer ok(ObjectNode object) {
        return new ApiAnswer(200, object);
    }

    /** A failure. */
    public static ApiAnswer failure(int code, String reason, String message) {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("kind", "Status").put("apiVersion", "v1").put("status", "Failure");
        status.putObject("metadata");
        status.put("message", message).put("reason", reason).put("code", code);
        return new ApiAnswer(code, status);
    }

    /** Whether the request had its effect. */
    public boolean isSuccess() {
        return code < 300;
    }
}
