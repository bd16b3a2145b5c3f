/**
 * Worker processes on this machine. {@link dev.volary.cli.local.LocalJob} runs one job: it starts the processes with {@code
 * WorkerPool}, serves as their arbiter and discovery, and passes events to a {@link dev.volary.cli.local.RunObserver}. {@link
 * dev.volary.cli.local.WorkerJvm} builds their command lines. Knows neither displays nor output files.
 *
 * <p>Example: {@code daemon-1} is killed. {@code WorkerProcess} reports its exit, {@code WorkerSlot} asks its {@code
 * RestartPolicy}, and one second later {@code WorkerPool} starts {@code daemon-2} in the same slot.
 */
@NullMarked
package dev.volary.cli.local;

import org.jspecify.annotations.NullMarked;
