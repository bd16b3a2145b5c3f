// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * Thrown by {@link Block#iterate} when further iterations are known to gain nothing, so that a job ends with a reason instead of
 * iterating on. It is not meant for slow convergence.
 */
public final class StalledIterationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * @param finding what shows that nothing is gained, with its numbers
     * @param remedy what the user can do
     */
    public StalledIterationException(String finding, String remedy) {
        super(finding + "; " + remedy);
    }
}
