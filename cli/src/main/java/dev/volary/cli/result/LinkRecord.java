// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a link between two blocks has seen in a run. An end whose daemon died or did not answer is missing.
 *
 * @param from the sending block
 * @param to the reading block
 * @param sent at the sending end
 * @param received at the reading end
 */
public record LinkRecord(int from, int to, Optional<Sent> sent, Optional<Received> received) {

    /**
     * The sending end.
     *
     * @param frames sent to another process
     * @param bytes of these frames, headers included
     * @param conflated halos overwritten before they were sent
     * @param reconnects how often the link got a new connection or another peer
     * @param roundTrip smoothed time until a frame was acknowledged; none inside one process
     */
    public record Sent(long frames, long bytes, long conflated, long reconnects, Optional<Duration> roundTrip) {}

    /**
     * The reading end.
     *
     * @param frames that arrived and were newer than what was there
     * @param bytes of these frames
     * @param conflated halos overwritten before they were taken
     * @param dropped frames that were older than what was there, or of a fenced incarnation
     * @param corrupt frames that failed a check
     * @param age of the halo in use when computing ended; none if none ever arrived
     */
    public record Received(
            long frames, long bytes, long conflated, long dropped, long corrupt, Optional<HaloAge> age) {}

    /**
     * Age of a halo.
     *
     * @param time since it arrived
     * @param iterations of the reading block since it was taken
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
