package dev.volary.protocol;

import java.util.List;

/** What people are told while a job runs. */
public sealed interface JobEvent {

    /** A spawner became the lead. */
    record LeadElected(NodeId lead, long term) implements JobEvent {}

    /** The lead shared the blocks out. */
    record Planned(int blocks, int groups, int daemons) implements JobEvent {}

    /** All blocks iterate. */
    record AllIterating() implements JobEvent {}

    /** Progress of all daemons that reported lately. */
    record Progress(List<Message.DaemonReport> daemons) implements JobEvent {
        public Progress {
            daemons = List.copyOf(daemons);
        }
    }

    /**
     * A snapshot was closed.
     *
     * @param sid its number
     * @param residual certified absolute residual of the recorded vector, with its rounding bound
     * @param sumOfSquares of the residual
     * @param latencyNanos from request to verdict
     */
    record SnapshotClosed(long sid, double residual, double sumOfSquares, long latencyNanos) implements JobEvent {}

    /** All local hints are small and the certified residual is not: typical of a dead link. */
    record LocallyStalled(double largestHint, double residual) implements JobEvent {}
}
