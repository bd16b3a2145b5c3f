// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.manifest;

import java.util.List;
import java.util.stream.Collectors;

/** A manifest that cannot be used, with everything that is wrong with it; the message has a line for each error. */
public final class ManifestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<ManifestError> errors;

    /**
     * @param errors at least one, in the order in which they should be read
     */
    public ManifestException(List<ManifestError> errors) {
        super(errors.stream().map(ManifestError::toString).collect(Collectors.joining("\n")));
        this.errors = List.copyOf(errors);
    }

    /** What is wrong, in the order of the file where positions are known. */
    public List<ManifestError> errors() {
        return errors;
    }
}
