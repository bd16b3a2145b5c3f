// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

/** Where workers listen inside their pods. */
public final class Ports {
    public static final int CONTROL = 7400;
    public static final int BULK = 7401;
    public static final int STORE = 7402;
    /** Metrics and probes, plain HTTP. */
    public static final int HTTP = 7403;

    private Ports() {}
}
