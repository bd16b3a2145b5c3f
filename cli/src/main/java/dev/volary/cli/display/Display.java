// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

/**
 * Shows a run to a watcher. One thread at a time calls it. {@link #close} leaves the terminal as it was found, and may be
 * called at any moment, twice, and without {@link #finish}.
 */
public interface Display extends AutoCloseable {

    /** Shows how the job stands; call it a few times a second, and once for every last event. */
    void update(JobView view);

    /** Shows how the run ended. */
    void finish(Summary summary);

    @Override
    void close();
}
