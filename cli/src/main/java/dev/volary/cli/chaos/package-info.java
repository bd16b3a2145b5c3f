/**
 * Fault injection: which worker fails when. Everything here is pure, so that {@code volary run} applies it to real processes
 * and {@code volary simulate} to simulated ones. Start reading at {@link dev.volary.cli.chaos.ChaosMonkey}.
 *
 * <p>Example: {@code --kill 1 --every 30s} becomes a {@link dev.volary.cli.chaos.ChaosPlan}; every 30 s the monkey chooses one
 * daemon and returns {@code Inject}.
 */
@NullMarked
package dev.volary.cli.chaos;

import org.jspecify.annotations.NullMarked;
