// SPDX-License-Identifier: Apache-2.0
/** How far a job is, and when it will probably end. */
@NullMarked
package dev.volary.protocol.progress;

import org.jspecify.annotations.NullMarked;
