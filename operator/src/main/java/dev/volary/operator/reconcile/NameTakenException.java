// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import java.io.IOException;

/** A Secret that a job needs belongs to another owner. */
final class NameTakenException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient TakenNames taken;

    NameTakenException(TakenNames taken) {
        super(taken.rejection().message());
        this.taken = taken;
    }

    TakenNames taken() {
        return taken;
    }
}
