/** What a worker needs in a pod and not in a local run: its settings, its log, its metrics, the result's spool. */
@NullMarked
package dev.volary.worker.pod;

import org.jspecify.annotations.NullMarked;
