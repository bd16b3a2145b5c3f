// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.config.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import io.javaoperatorsdk.operator.api.reconciler.ResourceOperations;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.api.reconciler.dependent.managed.ManagedWorkflowAndDependentResourceContext;
import io.javaoperatorsdk.operator.processing.event.EventSourceRetriever;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the framework gives to a reconciliation: the pods in the cache, and writes whose results enter the caches. */
final class SimulatedContext implements Context<IterativeJob> {
    private final IterativeJob job;
    private final KubernetesClient client;
    private final SimulatedPods pods;
    private final ResourceOperations<IterativeJob> operations;

    /** @param written receives the job after each write of its status */
    SimulatedContext(IterativeJob job, KubernetesClient client, SimulatedPods pods, Consumer<IterativeJob> written) {
        this.job = job;
        this.client = client;
        this.pods = pods;
        this.operations = new ResourceOperations<>(this) {
            @Override
            public <R extends HasMetadata> R create(R resource, InformerEventSource<R, IterativeJob> source) {
                R created = client.resource(resource).create();
                source.handleRecentResourceCreate(ResourceID.fromResource(created), created);
                return created;
            }

            @Override
            public IterativeJob serverSideApplyPrimaryStatus(IterativeJob next) {
                IterativeJob applied = client.resource(next)
                        .subresource("status")
                        .patch(new PatchContext.Builder()
                                .withForce(true)
                                .withFieldManager("volary-operator")
                                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                                .build());
                written.accept(applied);
                return applied;
            }
        };
    }

    @Override
    public <R> Stream<R> getSecondaryResourcesAsStream(Class<R> type, boolean isDeduplicated) {
        if (type != Pod.class) {
            throw new UnsupportedOperationException(type.getName());
        }
        return pods.of(job).map(type::cast);
    }

    @Override
    public <R> Set<R> getSecondaryResources(Class<R> type, boolean isDeduplicated) {
        return getSecondaryResourcesAsStream(type, isDeduplicated).collect(Collectors.toSet());
    }

    @Override
    public KubernetesClient getClient() {
        return client;
    }

    @Override
    public ResourceOperations<IterativeJob> resourceOperations() {
        return operations;
    }

    @Override
    public IterativeJob getPrimaryResource() {
        return job;
    }

    @Override
    public Optional<RetryInfo> getRetryInfo() {
        return Optional.empty();
    }

    @Override
    public <R> Optional<R> getSecondaryResource(Class<R> type, String source) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ControllerConfiguration<IterativeJob> getControllerConfiguration() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ManagedWorkflowAndDependentResourceContext managedWorkflowAndDependentResourceContext() {
        throw new UnsupportedOperationException();
    }

    @Override
    public EventSourceRetriever<IterativeJob> eventSourceRetriever() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ExecutorService getWorkflowExecutorService() {
        throw new UnsupportedOperationException();
    }

    @Override
    public IndexedResourceCache<IterativeJob> getPrimaryCache() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isNextReconciliationImminent() {
        return false;
    }

    @Override
    public boolean isPrimaryResourceDeleted() {
        return false;
    }

    @Override
    public boolean isPrimaryResourceFinalStateUnknown() {
        return false;
    }
}
