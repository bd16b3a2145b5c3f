/**
 * Reads manifests from files: {@link dev.volary.job.manifest.YamlReader} keeps the place of every value,
 * {@link dev.volary.job.manifest.ManifestBinder} makes the records of {@code dev.volary.job.spec} of them, and
 * {@code dev.volary.job.validation} checks the rules that need more than one value. All errors of a file are reported at once, each
 * with line and column. Start with {@link dev.volary.job.manifest.Manifest}.
 */
@NullMarked
package dev.volary.job.manifest;

import org.jspecify.annotations.NullMarked;
