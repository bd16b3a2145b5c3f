// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.local;

import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.v1.ChildToParent;
import dev.volary.mesh.v1.CompareAndSet;
import dev.volary.mesh.v1.LinkReports;
import dev.volary.mesh.v1.ParentToChild;
import dev.volary.mesh.v1.ReadArbiter;
import dev.volary.mesh.v1.Ready;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.message.ProgressMessage.DaemonReport;
import dev.volary.worker.runtime.HostChannel;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The framed pipe between a local worker and the process that started it: the arbiter, the discovery and the display. */
public final class PipeHostChannel implements HostChannel {
    private final InputStream in;
    private final OutputStream out;

    public PipeHostChannel(InputStream in, OutputStream out) {
        this.in = new BufferedInputStream(in);
        this.out = out;
    }

    /** Waits for the next message; null when the parent has ended. */
    @Nullable ParentToChild next() {
        try {
            return ParentToChild.parseDelimitedFrom(in);
        } catch (IOException brokenPipe) {
            return null;
        }
    }

    @Override
    public void ready(Ready ready) {
        send(ChildToParent.newBuilder().setReady(ready));
    }

    @Override
    public void readArbiter() {
        send(ChildToParent.newBuilder().setReadArbiter(ReadArbiter.getDefaultInstance()));
    }

    @Override
    public void compareAndSet(LeaderElectionRecord expected, LeaderElectionRecord next) {
        send(ChildToParent.newBuilder()
                .setCompareAndSet(CompareAndSet.newBuilder()
                        .setExpected(LocalCodec.write(expected))
                        .setNext(LocalCodec.write(next))));
    }

    @Override
    public void event(JobEvent event) {
        send(ChildToParent.newBuilder().setEvent(LocalCodec.write(event)));
    }

    @Override
    public void finished(JobOutcome outcome) {
        send(ChildToParent.newBuilder().setFinished(LocalCodec.write(outcome)));
    }

    @Override
    public void links(LinkReports links) {
        send(ChildToParent.newBuilder().setLinks(links));
    }

    @Override
    public void recorded(DaemonReport report) {
        send(ChildToParent.newBuilder().setRecorded(LocalCodec.write(report)));
    }

    @Override
    public void failure(String reason) {
        send(ChildToParent.newBuilder().setFailure(reason));
    }

    /** Sends nothing more; the parent sees the end of the stream. */
    synchronized void close() {
        try {
            out.close();
        } catch (IOException parentEnded) {
            // Then no parent waits for it.
        }
    }

    private synchronized void send(ChildToParent.Builder message) {
        try {
            message.build().writeDelimitedTo(out);
            out.flush();
        } catch (IOException parentEnded) {
            // next() sees the end of stdin and the worker ends.
        }
    }
}
