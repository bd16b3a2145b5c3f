package dev.volary.crd.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.crd.ManifestFile;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A manifest means the same to {@code volary run}, which reads files, and to a cluster: field by field. */
class InStepTest {
    private static final String BARE = """
            apiVersion: volary.dev/v1alpha1
            kind: IterativeJob
            metadata: {name: bare}
            spec: {problem: {type: heat2d}, failureDetection: {}, checkpoint: {}, failurePolicy: {}}
            """;

    /** A local run has no lead to fetch from; and it keeps results where the user is. */
    private static final Set<String> MEANT_TO_DIFFER = Set.of("spec.result.destination");

    @TempDir
    Path folder;

    @Test
    void bothKnowTheSameFieldsAndChoices() {
        Map<String, String> local = new TreeMap<>();
        Map<String, String> cluster = new TreeMap<>();
        describe("spec", dev.volary.crd.JobSpec.class, JobSpec.class, local, cluster);
        assertEquals(cluster, local);
        assertTrue(cluster.size() > 20, () -> "only " + cluster);
    }

    @Test
    void bothFillInTheSameDefaults() throws Exception {
        Path file = Files.writeString(folder.resolve("bare.yaml"), BARE);
        Map<String, Object> local = new TreeMap<>();
        values("spec", ManifestFile.read(file).job().spec(), local);
        Map<String, Object> cluster = new TreeMap<>();
        values("spec", Serialization.unmarshal(BARE, IterativeJob.class).getSpec(), cluster);
        cluster.keySet().retainAll(local.keySet());
        for (String field : MEANT_TO_DIFFER) {
            assertNotEquals(cluster.remove(field), local.remove(field), field);
        }
        assertEquals(cluster, local);
    }

    @Test
    void everyExampleIsReadByBoth() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../../examples"))) {
            for (Path example :
                    files.filter(file -> file.toString().endsWith(".yaml")).toList()) {
                IterativeJob job = Serialization.unmarshal(Files.readString(example), IterativeJob.class);
                assertEquals(
                        job.getSpec().daemons().replicas(),
                        read(example).job().spec().daemons().replicas(),
                        example.toString());
            }
        }
    }

    private static ManifestFile read(Path file) {
        try {
            return ManifestFile.read(file);
        } catch (dev.volary.crd.ManifestException refused) {
            throw new AssertionError(refused);
        }
    }

    /** Each field's choices, or that it is there; goes on inside where both sides have a record. */
    private static void describe(
            String path, Class<?> local, Class<?> cluster, Map<String, String> locals, Map<String, String> clusters) {
        Map<String, Class<?>> ours = fields(path, local, locals);
        Map<String, Class<?>> theirs = fields(path, cluster, clusters);
        ours.forEach((field, type) -> {
            Class<?> other = theirs.get(field);
            if (other != null && type.isRecord() && other.isRecord()) {
                describe(field, type, other, locals, clusters);
            }
        });
    }

    private static Map<String, Class<?>> fields(String path, Class<?> record, Map<String, String> described) {
        Map<String, Class<?>> fields = new TreeMap<>();
        for (RecordComponent component : record.getRecordComponents()) {
            String field = path + "." + component.getName();
            Class<?> type = bare(component.getGenericType());
            fields.put(field, type);
            described.put(field, type.isEnum() ? choices(type) : "");
        }
        return fields;
    }

    private static String choices(Class<?> type) {
        return new TreeSet<>(Arrays.stream(type.getEnumConstants())
                        .map(Object::toString)
                        .toList())
                .toString();
    }

    /** Without {@code Optional} or {@code List} around it. */
    private static Class<?> bare(Type type) {
        if (type instanceof ParameterizedType generic) {
            boolean wraps = generic.getRawType() == Optional.class || generic.getRawType() == List.class;
            return bare(wraps ? generic.getActualTypeArguments()[0] : generic.getRawType());
        }
        return (Class<?>) type;
    }

    /** The value of each field that is given and plain. */
    private static void values(String path, Object value, Map<String, Object> found) throws Exception {
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            String field = path + "." + component.getName();
            Object given = component.getAccessor().invoke(value);
            Object inner = given instanceof Optional<?> optional ? optional.orElse(null) : given;
            if (inner instanceof Record record) {
                values(field, record, found);
            } else if (inner instanceof Number
                    || inner instanceof Boolean
                    || inner instanceof Enum
                    || inner instanceof String) {
                found.put(field, inner.toString());
            }
        }
    }
}
