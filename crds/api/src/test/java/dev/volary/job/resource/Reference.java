// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsOrArray;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The reference page of {@link IterativeJob}, made from the definition. */
final class Reference {
    private static final String HEAD = """
            # IterativeJob

            <!-- Generated from the types in crds/api; ReferenceTest says how to bring it up to date. -->

            `apiVersion: volary.dev/v1alpha1`, `kind: IterativeJob`, short name `ij`, categories `all` and `volary`, namespaced. The definition
            is `crds/iterativejobs.volary.dev-v1.yaml`. What `volary run` does not use of a manifest, it says.

            """;
    private static final String TEMPLATE =
            "[PodTemplateSpec](https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-template-v1/)";
    private static final String CONDITION =
            "[Condition](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/) list";

    private final StringBuilder page = new StringBuilder(HEAD);
    private final List<String> rules = new ArrayList<>();

    private Reference() {}

    /** The page, in Markdown. */
    static String markdown() {
        Reference reference = new Reference();
        CustomResourceDefinition definition = Definition.generate();
        CustomResourceDefinitionVersion version =
                definition.getSpec().getVersions().getFirst();
        JSONSchemaProps root = version.getSchema().getOpenAPIV3Schema();
        reference.rulesOf("metadata", root);
        reference.section(
                "spec", root, "What a user writes. A field without a default may be left out unless it is required.");
        reference.section("status", root, "What the operator writes.");
        reference.checks();
        reference.annotation();
        reference.columns(version.getAdditionalPrinterColumns());
        return reference.page.toString();
    }

    private void section(String name, JSONSchemaProps root, String intro) {
        page.append("## ").append(name).append("\n\n").append(intro).append("\n\n");
        page.append("| field | type | default | meaning |\n|---|---|---|---|\n");
        rows("", Objects.requireNonNull(root.getProperties().get(name)));
        page.append('\n');
        rulesOf(name, Objects.requireNonNull(root.getProperties().get(name)));
    }

    private void rows(String path, JSONSchemaProps schema) {
        schema.getProperties().forEach((name, field) -> {
            String inner = path.isEmpty() ? name : path + "." + name;
            boolean required = schema.getRequired().contains(name);
            page.append("| `%s` | %s | %s | %s |\n"
                    .formatted(
                            inner,
                            type(name, field),
                            required ? "required" : text(field.getDefault(), field),
                            meaning(field)));
            if (isOurs(name)) {
                rows(inner, field);
                items(field).ifPresent(item -> rows(inner + "[]", item));
            }
        });
    }

    private static String type(String name, JSONSchemaProps field) {
        if (name.equals("template")) {
            return TEMPLATE;
        }
        if (name.equals("conditions")) {
            return CONDITION;
        }
        if (field.getEnum() != null && !field.getEnum().isEmpty()) {
            return String.join(
                    ", ",
                    field.getEnum().stream()
                            .map(value -> "`" + value.asText() + "`")
                            .toList());
        }
        return switch (field.getType()) {
            case "array" -> "list";
            case "integer" -> "integer" + bounds(field);
            case "object" -> field.getAdditionalProperties() == null ? "object" : "free-form";
            default -> field.getType();
        };
    }

    private static String bounds(JSONSchemaProps field) {
        if (field.getMinimum() == null) {
            return "";
        }
        long min = field.getMinimum().longValue();
        return field.getMaximum() == null || field.getMaximum().longValue() == Integer.MAX_VALUE
                ? ", at least " + min
                : ", " + min + " to " + field.getMaximum().longValue();
    }

    private static String text(@Nullable JsonNode value, JSONSchemaProps field) {
        return value == null || value.isObject() || !field.getProperties().isEmpty() ? "" : "`" + value.asText() + "`";
    }

    private static String meaning(JSONSchemaProps field) {
        return String.valueOf(field.getDescription()).replace("|", "\\|");
    }

    private static boolean isOurs(String name) {
        return !name.equals("template") && !name.equals("conditions");
    }

    private static Optional<JSONSchemaProps> items(JSONSchemaProps field) {
        return Optional.ofNullable(field.getItems()).map(JSONSchemaPropsOrArray::getSchema);
    }

    private void rulesOf(String path, JSONSchemaProps schema) {
        for (ValidationRule rule : schema.getXKubernetesValidations()) {
            String at = rule.getFieldPath() == null ? path : path + rule.getFieldPath();
            rules.add("| `" + at + "` | " + message(rule) + " |");
        }
        if (path.equals("metadata")) {
            return;
        }
        schema.getProperties().forEach((name, field) -> {
            if (isOurs(name)) {
                rulesOf(path + "." + name, field);
            }
        });
        items(schema).ifPresent(item -> rulesOf(path + "[]", item));
    }

    /** The message with an ellipsis where a value goes. */
    private static String message(ValidationRule rule) {
        String expression = rule.getMessageExpression();
        String message = expression == null
                ? rule.getMessage()
                : expression.substring(1, expression.lastIndexOf("'.format(")).replace("%s", "…");
        return message.replace("|", "\\|");
    }

    private void checks() {
        page.append("## What the API server refuses\n\n");
        page.append("Beside types and bounds, with these messages:\n\n| field | message |\n|---|---|\n");
        rules.forEach(rule -> page.append(rule).append('\n'));
        page.append('\n');
    }

    private void annotation() {
        page.append("## Annotations\n\n| annotation | meaning |\n|---|---|\n");
        page.append("| `").append(IterativeJob.CHECKPOINT_REQUEST).append("` | Any new value asks for a snapshot now;");
        page.append(
                " `status.checkpointRequest` repeats the value once that snapshot is durable or was refused. |\n\n");
    }

    private void columns(List<CustomResourceColumnDefinition> columns) {
        page.append("## Columns of `kubectl get`\n\n| column | shows | |\n|---|---|---|\n");
        for (CustomResourceColumnDefinition column : columns) {
            page.append("| %s | `%s` | %s |\n"
                    .formatted(
                            column.getName(),
                            column.getJsonPath().substring(1),
                            column.getPriority() > 0 ? "with `-o wide`" : ""));
        }
        page.append("\n`kubectl scale ij/NAME --replicas=N` sets `spec.daemons.replicas`.\n");
    }
}
