// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An input cannot be brought here, for a reason that stays until a person acts. */
public final class InputRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    private final String field;
    private final String finding;
    private final String remedy;

    InputRefusedException(String field, String finding, String remedy, @Nullable Throwable cause) {
        super(field + " " + finding + "; " + remedy, cause);
        this.field = field;
        this.finding = finding;
        this.remedy = remedy;
    }

    /** The field of the manifest that is to be looked at. */
    public String field() {
        return field;
    }

    /** Its value and what is wrong with it. */
    public String finding() {
        return finding;
    }

    /** What to do. */
    public String remedy() {
        return remedy;
    }
}
