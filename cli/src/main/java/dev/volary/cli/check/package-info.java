/** Everything that can be said about a job before a worker starts. */
@NullMarked
package dev.volary.cli.check;

import org.jspecify.annotations.NullMarked;
