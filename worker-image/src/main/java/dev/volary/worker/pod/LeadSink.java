package dev.volary.worker.pod;

import dev.volary.mesh.job.BrokenThereException;
import dev.volary.protocol.Member;
import dev.volary.worker.sink.PartSink;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Brings recorded parts to the lead, whose disk keeps the result. Waits for another lead while there is none. */
public final class LeadSink implements PartSink {
    /** Longer than a change of leads takes. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final Duration TRANSFER = Duration.ofSeconds(30);

    private final Spawners spawners;

    public LeadSink(Spawners spawners) {
        this.spawners = spawners;
    }

    @Override
    public int store(long sid, int block, double[] values, int count) throws IOException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        IOException last = new IOException("no spawner says who leads");
        try {
            while (System.nanoTime() < until) {
                Optional<Member> lead = spawners.lead();
                if (lead.isPresent()) {
                    try {
                        return spawners.client(lead.get().address()).deliver(sid, block, values, count, TRANSFER);
                    } catch (BrokenThereException e) {
                        throw e;
                    } catch (IOException e) {
                        last = e;
                    }
                }
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            last = new IOException("interrupted", e);
        }
        throw new IOException(
                "block %d of snapshot %d could not be brought to the lead: %s".formatted(block, sid, last.getMessage()),
                last);
    }

    /** The lead hands out results only, and those when the job is over: whoever lacks a part of a step begins it again. */
    @Override
    public double[] read(long sid, int block, int count, int checksum) throws IOException {
        throw new IOException(
                "block %d of snapshot %d is with the lead, which hands out no parts".formatted(block, sid));
    }
}
