// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.protocol.model.Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Where a job's spawners are found: names with a comma between them, as {@code volary-heat-s.science.svc}, each with or without
 * {@code :port}. A name may stand for several addresses, and for others tomorrow.
 */
public record SpawnerNames(String names) {

    /** The addresses there are now; names that do not resolve now are skipped. */
    public Set<Address> resolve() {
        Set<Address> addresses = new LinkedHashSet<>();
        for (String name : names.split(",", -1)) {
            String host = name.strip();
            int port = PodSettings.CONTROL_PORT;
            int colon = host.lastIndexOf(':');
            if (colon > 0 && host.indexOf(':') == colon) {
                port = Integer.parseInt(host.substring(colon + 1));
                host = host.substring(0, colon);
            }
            if (!host.isEmpty()) {
                try {
                    for (InetAddress address : InetAddress.getAllByName(host)) {
                        addresses.add(new Address(address.getHostAddress(), port));
                    }
                } catch (UnknownHostException notYet) {
                    // A headless Service has a name from its first pod on.
                }
            }
        }
        return addresses;
    }
}
