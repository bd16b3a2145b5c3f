// SPDX-License-Identifier: Apache-2.0
/**
 * The role of a daemon: it opens and runs blocks, backs them up, records snapshots and warms up as a standby. Start at {@link
 * dev.volary.worker.daemon.DaemonRuntime}.
 */
@NullMarked
package dev.volary.worker.daemon;

import org.jspecify.annotations.NullMarked;
