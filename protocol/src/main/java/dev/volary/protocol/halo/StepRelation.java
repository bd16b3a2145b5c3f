// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.halo;

/**
 * What a halo of one time step is to a block that may be in another (docs/explanation/time-steps-and-rollback.md, "halos of
 * other steps"). A block never reads values of another step than its own: those of an earlier one solve other equations, and
 * what they are worth as a guess the commit has brought along; those of a later one prove that a commit is on its way, and wait
 * for it.
 */
public enum StepRelation {
    /** Read it. */
    OWN,
    /** Keep it until the commit. */
    AHEAD,
    /** Forget it. */
    BEHIND;

    /** Of a halo of step {@code halo} to a block in step {@code own}; both 0 in a stationary problem. */
    public static StepRelation of(int own, int halo) {
        if (halo == own) {
            return OWN;
        }
        return halo > own ? AHEAD : BEHIND;
    }
}
