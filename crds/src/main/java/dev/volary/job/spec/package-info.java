/**
 * What a user writes into {@code spec}: the only model of a manifest. The definition that the API server checks and the reference
 * page are generated from these records and their annotations; files are bound to them by {@code dev.volary.job.manifest}; operator,
 * command line and simulator read them. Start with {@link dev.volary.job.spec.JobSpec}.
 *
 * <p>A new field is a component here, with its type, range, default and description. Rules that need more than one value are in
 * {@code dev.volary.job.validation}, with the same message as the CEL rule beside the field.
 */
@NullMarked
package dev.volary.job.spec;

import org.jspecify.annotations.NullMarked;
