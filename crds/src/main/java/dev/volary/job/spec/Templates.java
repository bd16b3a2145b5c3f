// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

/** What the reference says of pod templates. */
final class Templates {
    static final String DAEMONS =
            "Pod template of daemons. The container named worker is completed by the operator (image,"
                    + " command, ports, probes, volumes, security context); whatever else is given is kept, other containers too.";
    static final String GROUP = "Pod template of this group's daemons, in place of spec.daemons.template.";
    static final String SPAWNERS = "Pod template of spawners; as spec.daemons.template. Better not on spot machines.";

    private Templates() {}
}
