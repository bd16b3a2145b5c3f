/**
 * What messages, events and decisions carry: identities of workers and blocks, versions of block states, residuals. Values
 * without behavior beyond their own consistency. Start with {@link dev.volary.protocol.model.Member}, {@link
 * dev.volary.protocol.model.Incarnation} and {@link dev.volary.protocol.model.JobGraph}.
 */
@NullMarked
package dev.volary.protocol.model;

import org.jspecify.annotations.NullMarked;
