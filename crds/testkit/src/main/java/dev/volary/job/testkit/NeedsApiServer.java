// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A test class that starts a {@link LocalApiServer}. Where its programs are not, the class is skipped and the report says so; an
 * assumption that fails before all tests would leave no trace in it.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsApiServer.Programs.class)
public @interface NeedsApiServer {
    /** Looks for the programs. */
    final class Programs implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (context.getTestMethod().isPresent()) {
                return ConditionEvaluationResult.enabled("its class is");
            }
            try {
                return KubernetesPrograms.find()
                        .map(folder -> ConditionEvaluationResult.enabled("the programs are in " + folder))
                        .orElseGet(() -> ConditionEvaluationResult.disabled(
                                "no API server here: run e2e/testbed/testbed build, or set KUBEBUILDER_ASSETS"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while looking for an API server", e);
            }
        }
    }
}
