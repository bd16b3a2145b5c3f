/**
 * How a machine talks to the rest of its process: {@link dev.volary.protocol.machine.Machine} takes an event and a
 * {@link dev.volary.protocol.machine.Turn}, which has the time and collects actions. Events and actions are sealed by role, so
 * that no interpreter can forget one. {@link dev.volary.protocol.machine.JobEvent} is what is reported to users of a job.
 */
@NullMarked
package dev.volary.protocol.machine;

import org.jspecify.annotations.NullMarked;
