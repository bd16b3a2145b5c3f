// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.link;

/** The other end of a control link has not acknowledged anything for so long that its outbox is full. */
public final class OutboxFullException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OutboxFullException(String peer, int capacity) {
        super("control link to " + peer + " is full: " + capacity
                + " messages are not acknowledged; check the network to that worker and whether it runs");
    }
}
