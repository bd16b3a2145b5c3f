// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.reaction;

/** The concentrations at time 0. */
public enum InitialProfile {
    /** Largest in the middle of the domain, along every axis. */
    Bump,
    /** The same for every y, so that all planes of x and z have the solution of two axes. */
    UniformInY
}
