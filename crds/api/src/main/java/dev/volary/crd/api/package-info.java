/**
 * The {@code volary.dev} API as a Kubernetes client sees it. The custom resource definition and its reference page are
 * generated from these types: what an annotation says here is what the API server checks and what a user reads.
 * {@code dev.volary.crd} reads the same manifests from files; a test keeps the two in step.
 */
@NullMarked
package dev.volary.crd.api;

import org.jspecify.annotations.NullMarked;
