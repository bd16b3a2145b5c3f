/**
 * What the operator writes about a job: conditions and events with their reasons, and the pods tracked in the status. Knows no
 * client of the API server. Start reading at {@link dev.volary.operator.status.ConditionReason}.
 */
@NullMarked
package dev.volary.operator.status;

import org.jspecify.annotations.NullMarked;
