// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import java.util.Optional;

/** Stop computing; the job is over. */
public record Stop(Optional<String> reason) implements ToDaemon, ToSpawner {}
