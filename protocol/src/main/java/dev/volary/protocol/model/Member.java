// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

/**
 * What others need to know of a worker.
 *
 * @param id drawn at start
 * @param role what it does
 * @param name for people: role and serial, as {@code daemon-3}
 * @param address where its mesh listens
 * @param host machine it runs on; workers on the same one fail together
 * @param zone failure domain; empty if unknown
 * @param cores processors it may use
 * @param memoryBytes heap it may fill with blocks
 */
public record Member(
        WorkerId id,
        WorkerRole role,
        String name,
        Address address,
        String host,
        String zone,
        int cores,
        long memoryBytes) {

    /** The same worker with another {@link #memoryBytes}. */
    public Member withMemory(long bytes) {
        return new Member(id, role, name, address, host, zone, cores, bytes);
    }

    /** Whether no single machine's failure ends both. */
    public boolean isOnAnotherMachine(Member other) {
        return !zone.equals(other.zone) || !host.equals(other.host);
    }

    /** Whether {@code prober} could still reach {@code suspect} if only this worker's machine were cut off. */
    public boolean believes(Member prober, Member suspect) {
        return isOnAnotherMachine(prober) || !isOnAnotherMachine(suspect);
    }
}
