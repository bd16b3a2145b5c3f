/**
 * A Kubernetes cluster in memory and in virtual time: API server, garbage collector, scheduler, kubelets and the workers of jobs.
 * Knows nothing of the operator. Without threads, sockets and clocks, so a seed always gives the same run. {@code
 * OperatorSimulation} puts an operator on top. Start reading at {@link dev.volary.operator.simulated.SimulatedApiServer}.
 */
@NullMarked
package dev.volary.operator.simulated;

import org.jspecify.annotations.NullMarked;
