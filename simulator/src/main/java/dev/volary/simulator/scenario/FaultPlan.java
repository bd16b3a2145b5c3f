// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import java.time.Duration;
import java.util.Optional;

/**
 * What happens to workers in a scenario.
 *
 * @param kind what is done to them
 * @param standbys daemons beyond those that compute
 * @param restarts a dead worker's machine starts a new worker after a while
 * @param holders who keeps backups, which are written now and then
 * @param drift clocks run up to this share fast or slow
 * @param stores each worker has a store, which is opened this time after the first iteration and knows the holders of its own
 *     group only; without it each worker can keep copies for all, from the start
 */
public record FaultPlan(
        FaultKind kind,
        int standbys,
        boolean restarts,
        BackupHolders holders,
        double drift,
        Optional<Duration> stores) {

    /** Which workers keep backups. */
    public enum BackupHolders {
        NONE,
        DAEMONS,
        ALL
    }

    /** What is done to workers, at a time drawn from the seed. */
    public enum FaultKind {
        /** Nothing. */
        NONE,
        /** No harm: more daemons come than the plan waits for, and they are to compute as well. */
        JOIN,
        /** No harm: the user scales the job up, so that standbys compute as well. */
        SCALE,
        /** One daemon dies. */
        ONE,
        /** One daemon dies when there has been time for copies of all blocks, wherever stores open late. */
        LATE,
        /** Two daemons of adjacent blocks die within a millisecond. */
        PAIR,
        /** A daemon dies together with the holder of its newest backup. */
        OWNER_AND_HOLDER,
        /** A daemon that a block has just moved to dies together with all holders of the block's backups; its former owner lives. */
        NEW_OWNER_AND_HOLDERS,
        /** Half of the daemons die at once. */
        HALF,
        /** All daemons of a zone die at once. */
        ZONE,
        /** All daemons die at once. */
        ALL,
        /** A spawner dies, the leader or another one. */
        SPAWNER,
        /** The leader dies. */
        LEADER,
        /** The leader dies at some step of a snapshot. */
        LEADER_IN_SNAPSHOT,
        /** The leader dies right after a message of a snapshot or of its log; the seed says after which one. */
        LEADER_AT_MESSAGE,
        /**
         * The leader is cut off from all but the arbiter, for longer than the verdict takes, just when it logs the last
         * snapshot, or once another spawner has that.
         */
        LEADER_CUT_AT_VERDICT,
        /** What the leader sends, from when it logs the last snapshot, arrives when another spawner stands for election. */
        LEADER_LATE_AT_VERDICT,
        /** The leader pauses for longer than the verdict takes, and continues. */
        LEADER_PAUSE,
        /** The leader dies between its verdict and the end; the seed says at which step. */
        LEADER_IN_DELIVERY,
        /** As before, together with the next spawner, which holds the same parts. */
        HOLDERS_IN_DELIVERY,
        /** The leader dies after its verdict, and a holder of parts while the next leader fetches them. */
        HOLDER_IN_FETCH,
        /** The leader is cut off from all for longer than the verdict takes, between its verdict and the end. */
        LEADER_CUT_IN_DELIVERY,
        /** All spawners die at once. */
        ALL_SPAWNERS,
        /** All spawners but the leader die, and then, while their replacements are new, the leader. */
        SPAWNERS_IN_TURN,
        /** A spawner dies together with the one that would take its group over. */
        SPAWNER_AND_SUCCESSOR,
        /** A spawner and all daemons of its zone lose their power: connections to them time out. */
        SITE,
        /** A spawner's machine with all workers on it is cut off for a while, the arbiter included. */
        CUT_MACHINE,
        /** As before, for longer than a spawner waits when no other worker confirms its verdict. */
        CUT_MACHINE_LONG,
        /** A spawner and a daemon die at once. */
        SPAWNER_AND_DAEMON,
        /** Daemons die while they take part in a snapshot. */
        IN_SNAPSHOT,
        /** Daemons die while a time step is stored and committed. */
        IN_COMMIT,
        /** As before, each with the holder of its newest backup. */
        HOLDER_IN_COMMIT,
        /** A daemon dies soon after it has backed up a block in a time step after the first. */
        AFTER_COMMIT,
        /** The leader dies after any of its messages about a commit. */
        LEADER_IN_COMMIT,
        /**
         * The spawners that hold a committed step die one after the other, the second one once the first one has been replaced for a
         * while; a daemon dies with the second one.
         */
        HOLDERS_IN_TURN,
        /**
         * Half of the daemons die shortly before the deadline. By the seed, the leader dies with them, or between its verdict and the
         * end, or all holders of parts do.
         */
        BEFORE_DEADLINE,
        /** Daemons die while they take a coordinated checkpoint. */
        IN_CHECKPOINT,
        /** A daemon dies, and another one while all blocks roll back. */
        IN_ROLLBACK,
        /** Two daemons die, one well after the other. */
        TWICE,
        /** Daemons die all the time. */
        STORM,
        /** A daemon pauses for longer than the verdict takes, and continues. */
        PAUSE,
        /** As before, while a backup of one of its blocks is on its way. */
        PAUSE_IN_BACKUP,
        /** All processes, spawners too, pause now and then, and connections are slow: the machine is overloaded. */
        SLOW_MACHINE,
        /** One machine is overloaded for a while: all processes on it wake up late, again and again. */
        STARVED_MACHINE,
        /** A live daemon is declared dead. */
        FALSE_VERDICT,
        /** Some messages of a daemon get lost in one direction only, for a while; it is declared dead. */
        PARTITION,
        /** A daemon is asked to leave, and leaves in order. */
        LEAVE,
        /** One block kills every daemon that opens it. */
        POISON,
        /** One block cannot be opened on the first daemons that try. */
        PICKY,
        /** All processes end once a checkpoint is on the volume, as a suspended job's do; after a while others follow. */
        SUSPEND,
        /** Anything of the above that can be survived, several times. */
        ANYTHING;

        /** Whether it happens once, at a time that has nothing to do with what the job is at. */
        public boolean isEvent() {
            return switch (this) {
                case NONE,
                        JOIN,
                        LATE,
                        NEW_OWNER_AND_HOLDERS,
                        TWICE,
                        STORM,
                        ANYTHING,
                        POISON,
                        PICKY,
                        IN_SNAPSHOT,
                        LEADER_IN_SNAPSHOT,
                        LEADER_AT_MESSAGE,
                        LEADER_CUT_AT_VERDICT,
                        LEADER_LATE_AT_VERDICT,
                        IN_COMMIT,
                        AFTER_COMMIT,
                        HOLDER_IN_COMMIT,
                        LEADER_IN_COMMIT,
                        HOLDERS_IN_TURN,
                        LEADER_IN_DELIVERY,
                        HOLDERS_IN_DELIVERY,
                        HOLDER_IN_FETCH,
                        LEADER_CUT_IN_DELIVERY,
                        IN_CHECKPOINT,
                        BEFORE_DEADLINE,
                        SUSPEND,
                        PAUSE_IN_BACKUP -> false;
                default -> true;
            };
        }

        /** Whether snapshots are kept on a volume. */
        boolean keepsCheckpoints() {
            return this == SUSPEND;
        }

        /** Whether all daemons keep running: then no block is ever restarted, and none stops. */
        public boolean harmsNoDaemon() {
            return switch (this) {
                case SPAWNER,
                        LEADER,
                        LEADER_IN_SNAPSHOT,
                        LEADER_AT_MESSAGE,
                        LEADER_CUT_AT_VERDICT,
                        LEADER_LATE_AT_VERDICT,
                        LEADER_IN_COMMIT,
                        LEADER_IN_DELIVERY,
                        HOLDERS_IN_DELIVERY,
                        HOLDER_IN_FETCH,
                        LEADER_CUT_IN_DELIVERY,
                        LEADER_PAUSE,
                        ALL_SPAWNERS,
                        SPAWNERS_IN_TURN,
                        SPAWNER_AND_SUCCESSOR -> true;
                default -> false;
            };
        }
    }

    /** Nothing happens. */
    public static final FaultPlan NONE =
            new FaultPlan(FaultKind.NONE, 0, false, BackupHolders.NONE, 0, Optional.empty());

    /** The earliest time of a fault. */
    public static final Duration EARLIEST = Duration.ofMillis(5);
    /** The latest time of a fault. */
    public static final Duration LATEST = Duration.ofMillis(120);

    /** From then on stores that open late have been open for a while. */
    public static final Duration LATE = Duration.ofMillis(450);

    /** From the last message of a worker to the verdict. */
    public static final Duration TIMEOUT = Duration.ofMillis(60);

    /** One standby, restarts and backups. */
    public static FaultPlan of(FaultKind kind) {
        return new FaultPlan(kind, 1, true, BackupHolders.ALL, 0, Optional.empty());
    }

    /** This, with another number of standbys. */
    public FaultPlan withStandbys(int number) {
        return new FaultPlan(kind, number, restarts, holders, drift, stores);
    }

    /** This, where the dead stay dead. */
    public FaultPlan withoutRestarts() {
        return new FaultPlan(kind, standbys, false, holders, drift, stores);
    }

    /** This, where nothing is backed up. */
    public FaultPlan withoutBackups() {
        return new FaultPlan(kind, standbys, restarts, BackupHolders.NONE, drift, stores);
    }

    /** This, where backups are left to the daemons. */
    public FaultPlan withoutBackupsOnSpawners() {
        return new FaultPlan(kind, standbys, restarts, BackupHolders.DAEMONS, drift, stores);
    }

    /** Whether anything is backed up. */
    public boolean backups() {
        return holders != BackupHolders.NONE;
    }

    /** This, with clocks that drift. */
    public FaultPlan withDrift(double share) {
        return new FaultPlan(kind, standbys, restarts, holders, share, stores);
    }

    /** This, with stores that are opened this time after the first iteration. */
    public FaultPlan withStores(Duration after) {
        return new FaultPlan(kind, standbys, restarts, holders, drift, Optional.of(after));
    }
}
