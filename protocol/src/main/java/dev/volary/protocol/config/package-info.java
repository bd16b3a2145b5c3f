/**
 * How the machines behave: time-outs, numbers of copies, strategies. A job's description becomes these records in {@code
 * dev.volary.mesh.job.ProtocolSettings}.
 */
@NullMarked
package dev.volary.protocol.config;

import org.jspecify.annotations.NullMarked;
