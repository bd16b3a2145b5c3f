// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import dev.volary.mesh.v1.Hello;
import java.io.InputStream;

/** A stream of byte messages to and from one worker, authenticated and greeted. Confined to its {@link EventLoop}. */
public interface MessageStream {

    /** What the other side said of itself. */
    Hello hello();

    /** Whether {@link Events#closed} was called. */
    boolean isClosed();

    /** Whether it is closed because no process listens at the address. */
    boolean isRefused();

    /** Whether it is closed because another worker listens at the address: the one that was looked for has ended. */
    boolean isReplaced();

    /** Whether the transport would send a message now rather than keep it. */
    boolean isReady();

    /** Sends a message; its bytes are copied before this returns. Ignored if the stream is closed. */
    void send(ByteArrayMessage message);

    /** Closes the stream; {@link Events#closed} follows unless it was called already. */
    void close(String reason);

    /** What happens on a stream; called on its loop. */
    interface Events {

        /** Number of this end of the control link, for the greeting; 0 if there is no such link. */
        default long link() {
            return 0;
        }

        /** The other side accepted us and we accepted it. First of all events; not called if that fails. */
        void opened(MessageStream stream);

        /** A message; its stream is readable during this call only. */
        void message(MessageStream stream, InputStream message);

        /** {@link MessageStream#isReady} turned true. */
        void ready(MessageStream stream);

        /** The stream has ended, or could not be opened. Last of all events, called once. */
        void closed(MessageStream stream, String reason);
    }
}
