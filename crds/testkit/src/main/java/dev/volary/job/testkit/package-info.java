/** A real API server for tests. Only tests use it. */
@NullMarked
package dev.volary.job.testkit;

import org.jspecify.annotations.NullMarked;
