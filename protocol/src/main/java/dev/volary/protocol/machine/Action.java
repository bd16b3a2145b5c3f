// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.machine;

/** What a machine wants done. */
public sealed interface Action permits DaemonAction, SpawnerAction {}
