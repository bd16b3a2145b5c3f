// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.command;

import dev.volary.solver.Parameter;
import dev.volary.solver.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Describes the parameters of a problem as a JSON schema, draft 2020-12. */
final class ProblemSchema {
    private ProblemSchema() {}

    static Map<String, Object> of(Problem problem) {
        Map<String, Object> properties = new LinkedHashMap<>();
        problem.parameters().forEach(parameter -> properties.put(parameter.name(), of(parameter)));
        List<String> required = problem.parameters().stream()
                .filter(Parameter::required)
                .map(Parameter::name)
                .toList();
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", problem.name());
        schema.put("description", problem.summary());
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", required);
        schema.put("additionalProperties", false);
        return schema;
    }

    private static Map<String, Object> of(Parameter<?> parameter) {
        Map<String, Object> schema = new LinkedHashMap<>();
        // Kubernetes manifests write real numbers as strings
        schema.put(
                "type",
                parameter.kind() == Parameter.Kind.REAL
                        ? List.of("number", "string")
                        : parameter.kind().schemaType());
        schema.put("description", parameter.documentation() + " (" + parameter.domain() + ")");
        parameter.defaultValue().ifPresent(value -> {
            schema.put("default", value);
            if (value instanceof Enum<?> constant) {
                schema.put("enum", List.of(constant.getDeclaringClass().getEnumConstants()));
            }
        });
        return schema;
    }
}
