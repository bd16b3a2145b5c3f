// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.MembershipMessage.Evidence;
import dev.volary.protocol.message.MembershipMessage.Suspicion;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Probes members whose heartbeats are late, and reports those that this member suspects: to the owner, or to its own {@link
 * SuspicionTable} if it declares them dead itself. An owner that does not answer reports is suspected as well.
 */
final class SuspicionReporter {
    /** Unanswered suspicions after which the owner is suspected as well, in probe periods. */
    private static final int OWNER_ANSWERS_WITHIN = 6;

    private final MembershipView view;
    private final FailureDetectorConfig config;
    private final MonitoringStrategy strategy;
    private final SuspicionTable suspicions;
    /** When the owner was first sent a suspicion after which nothing was received from it. */
    private long unansweredSince = Long.MAX_VALUE;

    SuspicionReporter(MembershipView view, SuspicionTable suspicions) {
        this.view = view;
        this.config = view.config;
        this.strategy = view.strategy;
        this.suspicions = suspicions;
    }

    /** The group has changed: its owner has not been sent a suspicion. */
    void groupChanged() {
        unansweredSince = Long.MAX_VALUE;
    }

    /** Probes and reports as far as it is time to. */
    void tick(Turn turn) {
        List<Suspicion> batch = new ArrayList<>();
        for (PeerState peerState : view.peers()) {
            if (peerState.isDeclaredDead()) {
                continue;
            }
            if (strategy.confirmsSuspicions()
                    && (turn.now() >= peerState.overdueAt(config) || suspicions.has(peerState.id))
                    && turn.now() >= peerState.probeAt) {
                peerState.probed(turn.now(), config);
                view.send(peerState.id, new MembershipMessage.Probe(peerState.id), turn);
            }
            Optional<Evidence> evidence = peerState.evidence(strategy, turn.now());
            if (evidence.isPresent() && turn.now() >= peerState.reportAt - config.probeNanos() / 2) {
                long silent = evidence.get() == Evidence.STUCK
                        ? peerState.standingNanos(turn.now())
                        : peerState.silentNanos(turn.now());
                Suspicion suspicion =
                        new Suspicion(peerState.id, evidence.get(), silent, view.delayNanos(peerState, turn.now()));
                peerState.reportAt = turn.now() + config.probeNanos();
                if (view.judges(peerState.id)) {
                    suspicions.add(view.self, suspicion, turn.now());
                } else {
                    batch.add(suspicion);
                }
            }
        }
        if (!batch.isEmpty()) {
            view.owner().ifPresent(owner -> report(owner, batch, turn));
        }
    }

    private void report(WorkerId owner, List<Suspicion> batch, Turn turn) {
        PeerState ownerState = view.peer(owner);
        if (ownerState.lastReceivedAt() >= unansweredSince || unansweredSince == Long.MAX_VALUE) {
            unansweredSince = turn.now();
        }
        view.send(owner, new MembershipMessage.Suspicions(batch), turn);
        if (strategy.confirmsSuspicions()
                && !ownerState.isDeclaredDead()
                && turn.now() - unansweredSince >= OWNER_ANSWERS_WITHIN * config.probeNanos()) {
            suspicions.suspect(owner, turn.now());
        }
    }

    /** When the next member is to be probed or reported. */
    long wakeUp(long now) {
        long next = Long.MAX_VALUE;
        for (PeerState peerState : view.peers()) {
            next = Math.min(next, wakeUp(peerState, now));
        }
        return next;
    }

    private long wakeUp(PeerState peerState, long now) {
        if (peerState.isDeclaredDead()) {
            return Long.MAX_VALUE;
        }
        long report =
                peerState.evidence(strategy, now).isPresent() ? peerState.reportAt : peerState.suspectAt(strategy);
        if (!strategy.confirmsSuspicions()) {
            return report;
        }
        boolean probing = suspicions.has(peerState.id) || now >= peerState.overdueAt(config);
        return Math.min(report, probing ? peerState.probeAt : peerState.overdueAt(config));
    }

    /** This process did not run for a while. */
    void shift(long pause) {
        unansweredSince = unansweredSince == Long.MAX_VALUE ? Long.MAX_VALUE : unansweredSince + pause;
    }
}
