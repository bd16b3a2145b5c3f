// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** What a job's status counts: losses by cause, and retries used up. */
record Losses(int voluntary, int disruption, int failure, int retriesUsed) {
    static final Losses NONE = new Losses(0, 0, 0, 0);

    static Losses of(JsonObject status) {
        JsonElement there = status.get("replacements");
        JsonObject replacements = there == null ? new JsonObject() : there.getAsJsonObject();
        return new Losses(
                count(replacements, "voluntary"),
                count(replacements, "disruption"),
                count(replacements, "failure"),
                count(status, "retriesUsed"));
    }

    Losses plusDisruptions(int more) {
        return new Losses(voluntary, disruption + more, failure, retriesUsed);
    }

    /** Those that the job's own programs had no part in. */
    int taken() {
        return voluntary + disruption;
    }

    private static int count(JsonObject object, String field) {
        JsonElement there = object.get(field);
        return there == null ? 0 : there.getAsInt();
    }
}
