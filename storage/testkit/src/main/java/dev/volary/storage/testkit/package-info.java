// SPDX-License-Identifier: Apache-2.0
/** A real object store for tests. Start at {@link dev.volary.storage.testkit.S3Server}. */
@NullMarked
package dev.volary.storage.testkit;

import org.jspecify.annotations.NullMarked;
