// SPDX-License-Identifier: Apache-2.0
/**
 * The gRPC services that workers offer to operator, command line and other spawners, with their clients and authorization. Start
 * at {@link dev.volary.mesh.spawnerapi.SpawnerApi} for the server and {@link dev.volary.mesh.spawnerapi.ApiChannels} for clients.
 */
@NullMarked
package dev.volary.mesh.spawnerapi;

import org.jspecify.annotations.NullMarked;
