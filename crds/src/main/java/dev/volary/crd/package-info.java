/**
 * The {@code volary.dev} API: what a user writes. {@link dev.volary.crd.ManifestFile} reads a file strictly, as the
 * Kubernetes API server would with these types as its schema, and reports every fault at its line.
 */
@NullMarked
package dev.volary.crd;

import org.jspecify.annotations.NullMarked;
