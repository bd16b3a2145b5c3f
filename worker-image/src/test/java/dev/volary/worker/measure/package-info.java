// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.volary.worker.measure;

import org.jspecify.annotations.NullMarked;
