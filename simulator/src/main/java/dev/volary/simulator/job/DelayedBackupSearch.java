// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.backup.BackupSearch;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A search for a block's newest copy among members some of whom take their time to answer. */
final class DelayedBackupSearch {
    private static final long MICRO = 1_000;
    private static final BackupSearch.Patience PATIENCE = new BackupSearch.Patience(
            Duration.ofMillis(1),
            Duration.ofMillis(60),
            Duration.ofMillis(15),
            Duration.ofMillis(100),
            Duration.ofMillis(5));
    private static final long QUICK = 1_000 * MICRO;
    /** Slow ones outlast a search that knows nothing, and are in time for one that does. */
    private static final long SLOW = 20_000 * MICRO;

    private final SimulatedDaemon daemon;
    private final int block;
    private final BackupSearch search;
    private final Consumer<Optional<SimulatedBackups.Backup>> found;
    private boolean isOver;

    /**
     * Starts the search.
     *
     * @param found receives the copy; empty if none was found
     */
    DelayedBackupSearch(
            SimulatedDaemon daemon,
            DaemonAction.RestoreBlock restore,
            Consumer<Optional<SimulatedBackups.Backup>> found) {
        this.daemon = daemon;
        this.block = restore.block();
        this.search = new BackupSearch(restore.known(), PATIENCE, daemon.simulation.queue.now());
        this.found = found;
        proceed();
    }

    private void proceed() {
        if (isOver) {
            return;
        }
        Set<WorkerId> live = daemon.simulation.nodes.keySet(); // spawners keep copies too
        search.members(live, live);
        long now = daemon.simulation.queue.now();
        for (WorkerId member : search.asks(now)) {
            daemon.later(answersIn(), () -> {
                search.looked(member, copyOf(member).map(SimulatedBackups.Backup::key));
                proceed();
            });
        }
        switch (search.next(now)) {
            case BackupSearch.Next.Wait(long until) -> {
                if (until < Long.MAX_VALUE) {
                    daemon.later(until - now, this::proceed);
                }
            }
            case BackupSearch.Next.Fetch(WorkerId member) ->
                daemon.later(answersIn(), () -> {
                    Optional<SimulatedBackups.Backup> copy = copyOf(member);
                    search.fetched(member, copy.isPresent());
                    if (copy.isPresent()) {
                        end(copy);
                    } else {
                        proceed();
                    }
                });
            case BackupSearch.Next.Nothing() -> end(Optional.empty());
            case BackupSearch.Next.Done() -> {}
        }
    }

    private void end(Optional<SimulatedBackups.Backup> copy) {
        if (!isOver) {
            isOver = true;
            found.accept(copy);
        }
    }

    private long answersIn() {
        boolean slow = daemon.simulation.random.nextBoolean();
        return MICRO + daemon.simulation.random.nextLong(QUICK) + (slow ? SLOW : 0);
    }

    private Optional<SimulatedBackups.Backup> copyOf(WorkerId member) {
        return daemon.simulation.holders.newest(block, member::equals);
    }
}
