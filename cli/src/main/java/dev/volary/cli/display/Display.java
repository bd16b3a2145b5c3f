// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

/**
 * Shows the progress of a run. Called by one thread at a time. {@link #close} restores the terminal; it may be called at any time,
 * twice, and without {@link #finish}.
 */
public interface Display extends AutoCloseable {

    /** Shows the current state; called a few times a second, and once after the last event. */
    void update(JobView view);

    /** Shows how the run ended. */
    void finish(Summary summary);

    @Override
    void close();
}
