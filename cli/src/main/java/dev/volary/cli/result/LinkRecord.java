// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Statistics of a link between two blocks in a run. An end is empty if its daemon died or did not answer.
 *
 * @param from the sending block
 * @param to the reading block
 * @param sent statistics of the sending end
 * @param received statistics of the receiving end
 */
public record LinkRecord(int from, int to, Optional<Sent> sent, Optional<Received> received) {

    /**
     * The sending end.
     *
     * @param frames sent to another process
     * @param bytes of these frames, headers included
     * @param conflated halos overwritten before they were sent
     * @param reconnects number of new connections or peers
     * @param roundTrip smoothed time until a frame was acknowledged; empty within one process
     */
    public record Sent(long frames, long bytes, long conflated, long reconnects, Optional<Duration> roundTrip) {}

    /**
     * The receiving end.
     *
     * @param frames frames that arrived and were newer than the halo in use
     * @param bytes of these frames
     * @param conflated halos overwritten before they were used
     * @param dropped frames older than the halo in use, or of a stale incarnation
     * @param corrupt frames that failed a check
     * @param age age of the halo in use when computing ended; empty if none arrived
     */
    public record Received(
            long frames, long bytes, long conflated, long dropped, long corrupt, Optional<HaloAge> age) {}

    /**
     * Age of a halo.
     *
     * @param time since it arrived
     * @param iterations iterations of the reading block since it was first used
     */
    public record HaloAge(Duration time, long iterations) {}

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("from", from);
        json.put("to", to);
        json.put("sent", sent.map(LinkRecord::json));
        json.put("received", received.map(LinkRecord::json));
        return json;
    }

    private static Map<String, Object> json(Sent sent) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("frames", sent.frames());
        json.put("bytes", sent.bytes());
        json.put("conflated", sent.conflated());
        json.put("reconnects", sent.reconnects());
        json.put("round_trip_ms", sent.roundTrip().map(LinkRecord::millis));
        return json;
    }

    private static Map<String, Object> json(Received received) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("frames", received.frames());
        json.put("bytes", received.bytes());
        json.put("conflated", received.conflated());
        json.put("dropped", received.dropped());
        json.put("corrupt", received.corrupt());
        json.put("halo_age_ms", received.age().map(age -> millis(age.time())));
        json.put("halo_age_iterations", received.age().map(HaloAge::iterations));
        return json;
    }

    private static double millis(Duration time) {
        return time.toNanos() / 1e6;
    }
}
