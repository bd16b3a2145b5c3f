// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.manifest.Manifest;
import dev.volary.job.manifest.ManifestError;
import dev.volary.job.manifest.ManifestException;
import dev.volary.job.resource.Cases.Case;
import dev.volary.job.spec.JobSpec;
import dev.volary.job.testkit.LocalApiServer;
import dev.volary.job.testkit.NeedsApiServer;
import dev.volary.job.validation.JobValidator;
import dev.volary.job.validation.SpecError;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule as a real API server applies it, and the same message from {@link JobValidator} and for a file. */
@NeedsApiServer
class RulesTest {
    private static LocalApiServer server;
    private static int jobs;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        server = LocalApiServer.start();
    }

    @AfterAll
    static void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    static List<Case> cases() {
        return Cases.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aRuleAcceptsAndRefuses(Case rule) {
        if (rule.before().isEmpty()) {
            create(rule.accepted());
            refuses(rule, () -> create(rule.refused()));
            assertEquals(List.of(), errors(rule.accepted()));
            assertEquals(
                    List.of(rule.message()),
                    errors(rule.refused()).stream()
                            .map(message -> message.substring(Math.max(
                                    0, message.length() - rule.message().length())))
                            .toList());
            assertEquals(errors(rule.refused()), errorsOfFile(rule.refused()));
        } else {
            GenericKubernetesResource job = create(rule.before());
            job = server.client().resource(with(job, rule.accepted())).update();
            GenericKubernetesResource refused = with(job, rule.refused());
            refuses(rule, () -> server.client().resource(refused).update());
        }
    }

    private static List<String> errors(String fields) {
        GenericKubernetesResource job = job(fields);
        IterativeJob typed = typed(job);
        return JobValidator.errors(typed.getMetadata().getName(), typed.getSpec()).stream()
                .map(SpecError::message)
                .toList();
    }

    private static List<String> errorsOfFile(String fields) {
        try {
            Manifest.parse(Path.of("job.yaml"), Serialization.asYaml(job(fields)));
            return List.of();
        } catch (ManifestException refused) {
            return refused.errors().stream().map(ManifestError::message).toList();
        }
    }

    @Test
    void everyRuleHasACase() {
        List<String> messages = Cases.all().stream().map(Case::message).toList();
        Map<String, Integer> expected = new HashMap<>();
        rules().forEach(rule -> expected.merge(beginning(rule), 1, Integer::sum));
        expected.forEach((beginning, rules) -> assertTrue(
                messages.stream()
                                .filter(message -> message.startsWith(beginning))
                                .count()
                        >= rules,
                "fewer cases than the " + rules + " rules whose message begins with: " + beginning));
    }

    @Test
    void filesAndTheApiServerFillInTheSameDefaults() throws ManifestException {
        JobSpec ofServer = typed(create("{}")).getSpec();
        JobSpec ofFile = Manifest.parse(Path.of("job.yaml"), Serialization.asYaml(job("{}")))
                .spec();
        JobSpec ofDefaults = typed(job("{}")).getSpec();
        assertEquals(ofServer, ofFile);
        assertEquals(ofServer, ofDefaults);
    }

    @Test
    void aProblemsParametersCannotBeRenamedEither() {
        GenericKubernetesResource job = create("problem: {type: heat2d, parameters: {points: 64, sweeps: 2}}");
        GenericKubernetesResource renamed = with(job, "problem: {type: heat2d, parameters: {m: 64, sweeps: 2}}");
        assertThrows(
                KubernetesClientException.class,
                () -> server.client().resource(renamed).update());
    }

    @Test
    void aJobIsNotScaledBeyondWhatItsSpawnersCanManage() {
        GenericKubernetesResource job = create("{daemons: {replicas: 32}, spawners: {replicas: 1}}");
        KubernetesClientException refusal = assertThrows(
                KubernetesClientException.class,
                () -> server.client()
                        .resources(IterativeJob.class)
                        .resource(typed(job))
                        .scale(33));
        assertTrue(
                String.valueOf(refusal.getMessage())
                        .contains("spec.spawners.replicas is 1, but one spawner manages at most 32 daemons"),
                refusal.getMessage());
    }

    @Test
    void aJobWhoseSpawnersFollowItsDaemonsIsScaledFreely() {
        GenericKubernetesResource job = create("daemons: {replicas: 32}");
        assertEquals(
                1000,
                server.client()
                        .resources(IterativeJob.class)
                        .resource(typed(job))
                        .scale(1000)
                        .getSpec()
                        .daemons()
                        .replicas());
    }

    private static IterativeJob typed(GenericKubernetesResource job) {
        return Serialization.unmarshal(Serialization.asJson(job), IterativeJob.class);
    }

    private static void refuses(Case rule, Runnable request) {
        KubernetesClientException refusal = assertThrows(KubernetesClientException.class, request::run);
        assertEquals(422, refusal.getCode(), refusal.getMessage());
        List<String> causes = refusal.getStatus().getDetails().getCauses().stream()
                .map(StatusCause::getMessage)
                .toList();
        assertEquals(1, causes.size(), () -> "one fault, one message: " + causes);
        assertTrue(causes.getFirst().endsWith(": " + rule.message()), causes::getFirst);
    }

    private static GenericKubernetesResource create(String fields) {
        return server.client().resource(job(fields)).create();
    }

    private static GenericKubernetesResource job(String fields) {
        GenericKubernetesResource job = new GenericKubernetesResource();
        job.setApiVersion("volary.dev/v1alpha1");
        job.setKind("IterativeJob");
        job.setMetadata(new ObjectMetaBuilder().withNamespace("default").build());
        return with(job, fields);
    }

    /** The job with exactly these fields in its spec. */
    private static GenericKubernetesResource with(GenericKubernetesResource job, String fields) {
        GenericKubernetesResource changed = Serialization.clone(job);
        Map<String, Object> spec = new LinkedHashMap<>(Map.of("problem", Map.of("type", "heat2d")));
        spec.putAll(Serialization.unmarshal("---\n" + fields, GenericKubernetesResource.class)
                .getAdditionalProperties());
        Object name = spec.remove("name");
        if (changed.getMetadata().getName() == null) {
            changed.getMetadata().setName(name == null ? "job-" + jobs++ : name.toString());
        }
        changed.getAdditionalProperties().put("spec", spec);
        return changed;
    }

    /** The literal that a rule's message begins with. */
    private static String beginning(ValidationRule rule) {
        String expression = rule.getMessageExpression();
        return expression == null ? rule.getMessage() : expression.substring(1, expression.indexOf('%'));
    }

    private static Set<ValidationRule> rules() {
        Set<ValidationRule> rules = new LinkedHashSet<>();
        List<JSONSchemaProps> open = new ArrayList<>(List.of(Definition.generate()
                .getSpec()
                .getVersions()
                .getFirst()
                .getSchema()
                .getOpenAPIV3Schema()));
        while (!open.isEmpty()) {
            JSONSchemaProps schema = open.removeLast();
            rules.addAll(schema.getXKubernetesValidations());
            open.addAll(schema.getProperties().values());
            if (schema.getItems() != null && schema.getItems().getSchema() != null) {
                open.add(schema.getItems().getSchema());
            }
        }
        return rules;
    }
}
