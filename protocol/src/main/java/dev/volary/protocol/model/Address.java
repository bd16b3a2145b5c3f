// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

/**
 * Where a worker listens.
 *
 * @param host name or literal address
 * @param port TCP port
 */
public record Address(String host, int port) {
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
