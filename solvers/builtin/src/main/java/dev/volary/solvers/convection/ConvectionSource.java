// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

/** Right-hand sides. */
public enum ConvectionSource {
    /** 1. */
    One,
    /** The one for which a product of sines solves the scheme exactly. */
    Sines
}
