// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.nio.file.Path;

/** Finds the files that file parameters refer to. */
@FunctionalInterface
public interface Inputs {

    /**
     * @param reference what the manifest says, as {@code name:file} with a name from {@code spec.inputs}
     * @return the readable file
     * @throws InvalidProblemException if there is no such input or file
     */
    Path resolve(String reference) throws InvalidProblemException;

    /** For problems without files: every reference is refused. */
    static Inputs none() {
        return reference -> {
            throw new InvalidProblemException(reference, "no inputs are declared", "add it to spec.inputs");
        };
    }
}
