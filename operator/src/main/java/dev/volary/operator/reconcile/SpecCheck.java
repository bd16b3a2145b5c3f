package dev.volary.operator.reconcile;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.volary.crd.ManifestException;
import dev.volary.crd.ManifestFile;
import dev.volary.crd.api.InputSpec;
import dev.volary.crd.api.IterativeJob;
import dev.volary.crd.api.JobSpec;
import dev.volary.crd.api.ResultSpec;
import dev.volary.operator.job.WatchTimes;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is wrong with a spec beyond the reach of the API server's rules: as for files, and what only a cluster asks for. */
final class SpecCheck {
    private SpecCheck() {}

    /** Each a sentence that names field, value and remedy. */
    static List<String> faults(IterativeJob job) {
        List<String> faults = new ArrayList<>(asFile(job));
        JobSpec spec = job.getSpec();
        for (int i = 0; i < spec.inputs().size(); i++) {
            InputSpec input = spec.inputs().get(i);
            if (input.persistentVolumeClaim() == null) {
                faults.add("spec.inputs[" + i + "].path is \"" + input.path()
                        + "\", a local folder; on a cluster give persistentVolumeClaim");
            }
        }
        try {
            Objects.requireNonNull(WatchTimes.timeout(spec.failureDetection()));
        } catch (IllegalArgumentException refused) {
            faults.add(String.valueOf(refused.getMessage()));
        }
        @Nullable String restored = spec.restoreFrom() == null ? null : spec.restoreFrom().job();
        if (restored != null && (restored.contains("/") || restored.startsWith("."))) {
            faults.add(
                    "spec.restoreFrom.job is \"" + restored + "\", no name of a job; its folder on the volume is given"
                            + " with persistentVolumeClaim.subPath");
        }
        if (spec.result().destination() == ResultSpec.Destination.Volume) {
            faults.add("spec.result.destination is Volume, but workers of this version leave the result with the lead;"
                    + " remove it, and bring the result home with `volary fetch`");
        }
        return faults;
    }

    private static List<String> asFile(IterativeJob job) {
        Map<String, Object> spec = new LinkedHashMap<>(Serialization.unmarshal(
                Serialization.asJson(job.getSpec()), new TypeReference<Map<String, Object>>() {}));
        Map<String, Object> manifest = new LinkedHashMap<>();
        manifest.put("apiVersion", job.getApiVersion());
        manifest.put("kind", job.getKind());
        manifest.put("metadata", Map.of("name", job.getMetadata().getName()));
        manifest.put("spec", withoutNulls(spec));
        try {
            ManifestFile.parse(Path.of(job.getMetadata().getName()), Serialization.asJson(manifest));
            return List.of();
        } catch (ManifestException refused) {
            return refused.faults().stream().map(fault -> fault.message()).toList();
        }
    }

    private static Map<String, Object> withoutNulls(Map<String, Object> mapping) {
        Map<String, Object> result = new LinkedHashMap<>();
        mapping.forEach((name, value) -> {
            if (value instanceof Map<?, ?> inner) {
                Map<String, Object> copy = new LinkedHashMap<>();
                inner.forEach((key, each) -> copy.put(String.valueOf(key), each));
                result.put(name, withoutNulls(copy));
            } else if (value != null) {
                result.put(name, value);
            }
        });
        return result;
    }
}
