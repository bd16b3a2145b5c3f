// SPDX-License-Identifier: Apache-2.0
/**
 * Storage outside of the workers of a job: objects by key, in a folder or in an S3 object store. Start at
 * {@link dev.volary.storage.BlobStore}.
 */
@NullMarked
package dev.volary.storage;

import org.jspecify.annotations.NullMarked;
