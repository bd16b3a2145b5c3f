package dev.volary.crd.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.crd.api.Cases.Case;
import dev.volary.crd.testkit.LocalApiServer;
import dev.volary.crd.testkit.NeedsApiServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
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

/** The rules as a real API server applies them. */
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
        } else {
            GenericKubernetesResource job = create(rule.before());
            job = server.client().resource(with(job, rule.accepted())).update();
            GenericKubernetesResource refused = with(job, rule.refused());
            refuses(rule, () -> server.client().resource(refused).update());
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
    void aProblemsParametersCannotBeRenamedEither() {
        GenericKubernetesResource job = create("problem: {type: heat2d, parameters: {n: 64, sweeps: 2}}");
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
        GenericKubernetesResource job = new GenericKubernetesResource();
        job.setApiVersion("volary.dev/v1alpha1");
        job.setKind("IterativeJob");
        job.setMetadata(new ObjectMetaBuilder().withNamespace("default").build());
        return server.client().resource(with(job, fields)).create();
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
