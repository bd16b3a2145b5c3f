/**
 * What workers send each other. {@link dev.volary.protocol.message.Message} says by its type who may receive it: {@link
 * dev.volary.protocol.message.ToDaemon}, {@link dev.volary.protocol.message.ToSpawner} or {@link
 * dev.volary.protocol.message.ToLeader}. Each topic has a file of its own. A new message goes into the file of its topic; the
 * compiler then names every machine that must handle it. {@link dev.volary.protocol.message.LogEntry} is what the leader
 * writes into its log.
 */
@NullMarked
package dev.volary.protocol.message;

import org.jspecify.annotations.NullMarked;
