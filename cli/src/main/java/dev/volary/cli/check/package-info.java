/**
 * Checks a job before a worker starts: manifest, problem, input files, blocks, tolerance and convergence. Every command that
 * takes a manifest begins with {@link dev.volary.cli.check.JobPreflight}, which returns a {@link
 * dev.volary.cli.check.ValidatedJob} or throws every error with its line in the file.
 */
@NullMarked
package dev.volary.cli.check;

import org.jspecify.annotations.NullMarked;
