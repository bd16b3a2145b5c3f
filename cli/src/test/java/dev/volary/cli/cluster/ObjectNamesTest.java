package dev.volary.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.operator.objects.Labels;
import dev.volary.operator.objects.Names;
import dev.volary.operator.objects.Ports;
import dev.volary.operator.pod.PodReader;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The command looks for objects under the names that the operator gives them. */
class ObjectNamesTest {
    @Test
    void theSecretOfTheAuthority() {
        assertEquals(Names.authority("heat"), ObjectNames.authority("heat"));
    }

    @Test
    void thePodsOfARole() {
        assertEquals(
                Map.of(Labels.NAME, "volary", Labels.JOB, "heat", Labels.COMPONENT, "daemon"),
                ObjectNames.select("heat", Optional.of(WorkerRole.daemon)));
        assertEquals(Map.of(Labels.NAME, "volary", Labels.JOB, "heat"), ObjectNames.select("heat", Optional.empty()));
    }

    @Test
    void thePortAndTheContainer() {
        assertEquals(Ports.CONTROL, ObjectNames.CONTROL_PORT);
        assertEquals(PodReader.CONTAINER, ObjectNames.CONTAINER);
    }
}
