// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import com.fasterxml.jackson.core.type.TypeReference;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Gives an account what the chart gives the operator: the rules are read from the chart itself. */
final class ChartRights {
    private static final Path RULES = Path.of("../helm/volary/templates/_helpers.tpl");
    private static final String BEGIN = "{{- define \"volary.rules\" -}}";
    private static final String END = "{{- end -}}";

    private ChartRights() {}

    /** The rules for a namespace that the operator watches. */
    static List<PolicyRule> rules() throws IOException {
        String text = Files.readString(RULES);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        return Serialization.unmarshal(
                text.substring(begin, text.indexOf(END, begin)), new TypeReference<List<PolicyRule>>() {});
    }

    static void grant(KubernetesClient client, String namespace, String account) throws IOException {
        List<PolicyRule> rules = new ArrayList<>(rules());
        rules.add(new PolicyRuleBuilder()
                .withApiGroups("coordination.k8s.io")
                .withResources("leases")
                .withResourceNames(OperatorSettings.LEASE)
                .withVerbs("get", "update", "patch")
                .build());
        client.resource(new RoleBuilder()
                        .withNewMetadata()
                        .withName(account)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withRules(rules)
                        .build())
                .create();
        client.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName(account)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", account)
                        .addNewSubject()
                        .withKind("ServiceAccount")
                        .withName(account)
                        .withNamespace(namespace)
                        .endSubject()
                        .build())
                .create();
    }
}
