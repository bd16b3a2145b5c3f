// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The definition that users apply: {@code crds/iterativejobs.volary.dev-v1.yaml}. */
class CrdYamlTest {
    /** `kubectl apply` keeps what it applied in an annotation; the API server limits annotations to 256 KiB in all. */
    private static final int LARGEST = 256 * 1024 - 16 * 1024;

    @Test
    void theKeptDefinitionIsTheGeneratedOne() throws IOException {
        Kept.check("crds/iterativejobs.volary.dev-v1.yaml", Definition.yaml());
    }

    @Test
    void theDefinitionFitsTheAnnotationOfKubectlApply() {
        int size = Serialization.asJson(Definition.generate()).getBytes(StandardCharsets.UTF_8).length;
        assertTrue(size <= LARGEST, "the definition has " + size + " bytes, more than " + LARGEST);
    }

    @Test
    void everyFieldOfOurOwnIsDocumented() {
        List<String> undocumented = new ArrayList<>();
        collect(
                "",
                Definition.generate()
                        .getSpec()
                        .getVersions()
                        .getFirst()
                        .getSchema()
                        .getOpenAPIV3Schema(),
                undocumented);
        assertEquals(List.of(), undocumented);
    }

    private static void collect(String path, JSONSchemaProps schema, List<String> undocumented) {
        schema.getProperties().forEach((name, field) -> {
            String inner = path.isEmpty() ? name : path + "." + name;
            if (field.getDescription() == null) {
                undocumented.add(inner);
            }
            // Kubernetes documents its own types.
            if (!name.equals("template") && !inner.equals("status.conditions")) {
                collect(inner, field, undocumented);
                if (field.getItems() != null && field.getItems().getSchema() != null) {
                    collect(inner + "[]", field.getItems().getSchema(), undocumented);
                }
            }
        });
    }
}
