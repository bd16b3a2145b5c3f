// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.link;

import java.time.Duration;
import java.util.Optional;

/**
 * What one end of a link has seen since it was made.
 *
 * @param from the sending block
 * @param to the reading block
 * @param frames sent, or delivered to the slot
 * @param bytes of these frames, headers included
 * @param conflated values overwritten before they were sent, or before they were taken
 * @param dropped frames dropped because they were older than what is there, or of a fenced incarnation
 * @param corrupt frames dropped because they failed a check
 * @param reconnects how often the link got a new connection or another peer
 * @param roundTrip smoothed time from handing a frame to the transport to its acknowledgement (sending end)
 * @param age time since the values in use arrived (receiving end)
 * @param iteration of the newest values sent, or of the values in use; -1 for none
 */
public record LinkTelemetry(
        int from,
        int to,
        long frames,
        long bytes,
        long conflated,
        long dropped,
        long corrupt,
        long reconnects,
        Optional<Duration> roundTrip,
        Optional<Duration> age,
        long iteration) {}
