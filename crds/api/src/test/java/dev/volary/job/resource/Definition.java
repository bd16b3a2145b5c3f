// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsOrBoolBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** The custom resource definition of {@link IterativeJob}, made from the types. */
final class Definition {
    /** In the order in which {@code kubectl get} shows them; the generator sorts them by path. */
    private static final List<String> COLUMNS = List.of(
            "Phase",
            "Residual",
            "Tolerance",
            "Daemons",
            "Wanted",
            "Standby",
            "Replaced",
            "Retries",
            "Iterations",
            "Checkpoint",
            "Leader",
            "Age");

    private static final String HEADER =
            "# Generated from the types in crds/api; CrdYamlTest says how to bring it up to date.\n";

    private Definition() {}

    /** The definition as the repository keeps it. */
    static String yaml() {
        return HEADER + Serialization.asYaml(generate());
    }

    /** The definition. */
    static CustomResourceDefinition generate() {
        Memory memory = new Memory();
        new CRDGenerator()
                .customResourceClasses(IterativeJob.class)
                .forCRDVersions("v1")
                .withOutput(memory)
                .generate();
        CustomResourceDefinition definition =
                Serialization.unmarshal(memory.bytes.toString(StandardCharsets.UTF_8), CustomResourceDefinition.class);
        CustomResourceDefinitionVersion version =
                definition.getSpec().getVersions().getFirst();
        version.getAdditionalPrinterColumns()
                .sort(Comparator.comparing(
                        CustomResourceColumnDefinition::getName, Comparator.comparingInt(COLUMNS::indexOf)));
        complete(version.getSchema().getOpenAPIV3Schema());
        return definition;
    }

    /** What the generator's annotations cannot say. */
    private static void complete(JSONSchemaProps root) {
        root.setDescription("A job: one problem, solved to a tolerance by daemons that come and go.");
        root.setRequired(List.of("spec"));
        property(root, "spec").setDescription("What to solve and how.");
        JSONSchemaProps status = property(root, "status");
        status.setDescription("What has become of the job; written by the operator alone.");
        JSONSchemaProps conditions = property(status, "conditions");
        conditions.setXKubernetesListType("map");
        conditions.setXKubernetesListMapKeys(List.of("type"));
        conditions.getItems().getSchema().setRequired(List.of("type", "status"));
        JSONSchemaProps parameters = property(property(property(root, "spec"), "problem"), "parameters");
        // Not `x-kubernetes-preserve-unknown-fields` of the mapping itself: rules then do not see that a parameter was
        // renamed.
        parameters.setXKubernetesPreserveUnknownFields(null);
        parameters.setAdditionalProperties(new JSONSchemaPropsOrBoolBuilder()
                .withNewSchema()
                .withXKubernetesPreserveUnknownFields(true)
                .endSchema()
                .build());
        tidy(root);
    }

    private static JSONSchemaProps property(JSONSchemaProps schema, String name) {
        return Objects.requireNonNull(schema.getProperties().get(name), name);
    }

    private static void tidy(JSONSchemaProps schema) {
        // An annotation of a record's component is found twice, at the field and at its accessor.
        schema.setXKubernetesValidations(
                schema.getXKubernetesValidations().stream().distinct().toList());
        schema.getProperties().values().forEach(Definition::tidy);
        if (schema.getItems() != null && schema.getItems().getSchema() != null) {
            tidy(schema.getItems().getSchema());
        }
    }

    /** The generator writes files; here they are kept. */
    private static final class Memory implements CRDGenerator.CRDOutput<OutputStream> {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public OutputStream outputFor(String crdName) {
            return bytes;
        }

        @Override
        public URI crdURI(String crdName) {
            return URI.create("file:///" + crdName);
        }

        @Override
        public void close() {}
    }
}
