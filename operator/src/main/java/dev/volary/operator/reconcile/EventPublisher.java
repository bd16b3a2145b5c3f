// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.operator.metrics.OperatorMetrics;
import dev.volary.operator.status.EventReason;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.UUID;
import java.util.logging.Logger;

/** Publishes events of {@code events.k8s.io}. Logs and counts events that it cannot publish, and continues. */
final class EventPublisher {
    private static final Logger LOG = Logger.getLogger(EventPublisher.class.getName());
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int MAX_NOTE = 1024; // limit of the API, in bytes of UTF-8
    private static final String ELLIPSIS = "…";

    private final KubernetesClient client;
    private final String instance;
    private final OperatorMetrics metrics;

    /** @param instance name of the pod of this operator */
    EventPublisher(KubernetesClient client, String instance, OperatorMetrics metrics) {
        this.client = client;
        this.instance = instance;
        this.metrics = metrics;
    }

    void publish(IterativeJob job, EventReason reason, String note, Instant now) {
        try {
            client.resource(new EventBuilder()
                            .withNewMetadata()
                            .withName(job.getMetadata().getName() + "-" + UUID.randomUUID())
                            .withNamespace(job.getMetadata().getNamespace())
                            .endMetadata()
                            .withEventTime(new MicroTime(MICROS.format(now)))
                            .withReportingController("volary.dev/operator")
                            .withReportingInstance(instance)
                            .withAction(reason.action())
                            .withReason(reason.name())
                            .withType(reason.type())
                            .withNote(cut(note))
                            .withRegarding(new ObjectReferenceBuilder()
                                    .withApiVersion(job.getApiVersion())
                                    .withKind(job.getKind())
                                    .withName(job.getMetadata().getName())
                                    .withNamespace(job.getMetadata().getNamespace())
                                    .withUid(job.getMetadata().getUid())
                                    .build())
                            .build())
                    .create();
        } catch (KubernetesClientException e) {
            if (ActionExecutor.alreadyExists(e)) {
                return; // the client has sent it before, and the answer was lost
            }
            metrics.eventLost();
            LOG.warning(() ->
                    "event " + reason + " of " + job.getMetadata().getName() + " was not published: " + e.getMessage());
        }
    }

    /** Shortens a note to the limit of the API. */
    static String cut(String note) {
        byte[] bytes = note.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_NOTE) {
            return note;
        }
        int end = MAX_NOTE - ELLIPSIS.getBytes(StandardCharsets.UTF_8).length;
        while ((bytes[end] & 0b1100_0000) == 0b1000_0000) {
            end--; // do not split a character
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + ELLIPSIS;
    }
}
