// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.operator.simulated.ApiAnswer;
import dev.volary.operator.simulated.ApiRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Chooses which requests fail, and how. */
final class RequestFaults {
    private static final List<String> OPERATIONS = List.of(
            "get secrets",
            "create secrets",
            "update secrets",
            "delete secrets",
            "create pods",
            "delete pods",
            "get pods",
            "create events",
            "get leases",
            "create leases",
            "update leases",
            "get configmaps",
            "create configmaps",
            "update configmaps",
            "get services",
            "create services",
            "get networkpolicies",
            "create networkpolicies",
            "get serviceaccounts",
            "create serviceaccounts",
            "get roles",
            "create roles",
            "get rolebindings",
            "create rolebindings",
            "patch iterativejobs/status",
            "delete iterativejobs",
            "get persistentvolumeclaims",
            "");
    private static final List<Kind> LOST =
            List.of(Kind.TIMEOUT_BEFORE, Kind.TIMEOUT_AFTER, Kind.TIMEOUT_AFTER, Kind.LATE, Kind.LATE, Kind.REPEATED);
    private static final List<Kind> ANSWERS = List.of(
            Kind.BAD_REQUEST,
            Kind.FORBIDDEN,
            Kind.NOT_FOUND,
            Kind.CONFLICT,
            Kind.GONE,
            Kind.INVALID,
            Kind.TOO_MANY,
            Kind.ERROR,
            Kind.UNAVAILABLE,
            Kind.TIMEOUT_BEFORE);

    /** How a request fails. */
    enum Kind {
        BAD_REQUEST(400, "BadRequest"),
        FORBIDDEN(403, "Forbidden"),
        NOT_FOUND(404, "NotFound"),
        CONFLICT(409, "Conflict"),
        GONE(410, "Gone"),
        INVALID(422, "Invalid"),
        TOO_MANY(429, "TooManyRequests"),
        ERROR(500, "InternalError"),
        UNAVAILABLE(503, "ServiceUnavailable"),
        /** It is not executed, and there is no answer. */
        TIMEOUT_BEFORE(0, ""),
        /** It is executed, and the answer is lost. */
        TIMEOUT_AFTER(0, ""),
        /** The answer is lost, and it is executed some seconds later. */
        LATE(0, ""),
        /** The first answer is lost, so the client sends it again. */
        REPEATED(0, "");

        private final int code;
        private final String reason;

        Kind(int code, String reason) {
            this.code = code;
            this.reason = reason;
        }

        /** The answer; empty if there is none. */
        Optional<ApiAnswer> answer() {
            return code == 0
                    ? Optional.empty()
                    : Optional.of(ApiAnswer.failure(code, reason, "injected " + code + " " + reason));
        }
    }

    private static final class Failpoint {
        private final String operation;
        private final Kind kind;
        private final Duration from;
        private final Duration until;
        private int left;

        Failpoint(String operation, Kind kind, Duration from, Duration until, int left) {
            this.operation = operation;
            this.kind = kind;
            this.from = from;
            this.until = until;
            this.left = left;
        }
    }

    private final List<Failpoint> failpoints = new ArrayList<>();

    /** Plans failing requests between the start and {@code end}. */
    RequestFaults(Random random, Duration end, boolean failing, boolean losing) {
        int count = (failing ? 3 + random.nextInt(6) : 0) + (losing ? 4 + random.nextInt(10) : 0);
        for (int i = 0; i < count; i++) {
            List<Kind> kinds = failing && (!losing || random.nextBoolean()) ? ANSWERS : LOST;
            Kind kind = kinds.get(random.nextInt(kinds.size()));
            Duration from = Duration.ofMillis(random.nextLong(end.toMillis()));
            // an answer that says that an object is not there, and is wrong, is given once
            boolean isOnce = random.nextInt(3) > 0 || kind == Kind.NOT_FOUND;
            Duration until = isOnce ? end : from.plusSeconds(1 + random.nextInt(60));
            failpoints.add(new Failpoint(
                    OPERATIONS.get(random.nextInt(OPERATIONS.size())),
                    kind,
                    from,
                    until.compareTo(end) > 0 ? end : until,
                    isOnce ? 1 : Integer.MAX_VALUE));
        }
    }

    /** How this request fails, at this time since the start; empty if it does not. */
    Optional<Kind> of(ApiRequest request, Duration now) {
        for (Failpoint each : failpoints) {
            if (each.left > 0
                    && now.compareTo(each.from) >= 0
                    && now.compareTo(each.until) < 0
                    && (each.operation.isEmpty() || each.operation.equals(request.operation()))) {
                each.left--;
                return Optional.of(each.kind);
            }
        }
        return Optional.empty();
    }
}
