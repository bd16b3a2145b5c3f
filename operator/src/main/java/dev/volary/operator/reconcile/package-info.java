/**
 * The reconciliation loop: observe, plan, write the status, execute. {@code JobReconciler} is its entry; {@code ActionExecutor}
 * calls the API server, {@code SpawnerPoller} the spawners. {@link dev.volary.operator.reconcile.RunningOperator} puts the
 * parts together.
 */
@NullMarked
package dev.volary.operator.reconcile;

import org.jspecify.annotations.NullMarked;
