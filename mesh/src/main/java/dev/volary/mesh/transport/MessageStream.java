// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import dev.volary.mesh.v1.Hello;
import java.io.InputStream;

/** A stream of byte messages to and from one worker, authenticated and greeted. Confined to its {@link EventLoop}. */
public interface MessageStream {

    /** What the other side said of itself. */
    Hello hello();

    /** Whether {@link Events#closed} was called. */
    boolean closed();

    /** Whether it is closed because nobody listens at the address. */
    boolean refused();

    /** Whether it is closed because another worker listens at the address: the one that was looked for has ended. */
    boolean replaced();

    /** Whether the transport would send a message now rather than keep it. */
    boolean ready();

    /** Sends a message; its bytes are copied before this returns. Ignored if the wire is closed. */
    void send(ByteArrayMessage message);

    /** Closes the wire; {@link Events#closed} follows unless it was called already. */
    void close(String reason);

    /** What happens on a wire; called on its loop. */
    interface Events {

        /** The other side accepted us and we accepted it. First of all events; not called if that fails. */
        void opened(MessageStream wire);

        /** A message; its stream is readable during this call only. */
        void message(MessageStream wire, InputStream message);

        /** {@link MessageStream#ready} turned true. */
        void ready(MessageStream wire);

        /** The wire is gone, or could not be opened. Last of all events, called once. */
        void closed(MessageStream wire, String reason);
    }
}
