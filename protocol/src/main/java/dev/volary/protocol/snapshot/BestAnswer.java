// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import dev.volary.protocol.message.KeptAnswer;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Keeps the best answer of a job that has a deadline: a snapshot above the tolerance is stored if its residual is smaller than that
 * of all that were stored before. After one that took long to store the next one waits, as checkpoints do
 * ({@link CheckpointSchedule}). The parts of the one before stay until the log names the new one, so at most two are stored.
 */
final class BestAnswer {
    private final CheckpointSchedule schedule;
    private Optional<KeptAnswer> newest = Optional.empty();
    /** What the log names; its parts stay until it names a better one. */
    private Optional<KeptAnswer> logged = Optional.empty();

    /** @param enabled whether an answer is kept at all */
    BestAnswer(boolean enabled) {
        this.schedule = new CheckpointSchedule(enabled);
    }

    /** Whether a snapshot that has closed now is to be stored. */
    boolean isDue(double residual, long now) {
        return schedule.isDue(now) && below(residual, true).isEmpty();
    }

    /** A closed snapshot is stored because it is the best one. */
    void begin(long now) {
        schedule.begin(now);
    }

    /** Whether the snapshot that is stored now is the best one. */
    boolean isSaving() {
        return schedule.isSaving();
    }

    /** All parts of the best snapshot are durable. */
    void stored(KeptAnswer answer, long now) {
        newest = Optional.of(answer);
        schedule.saved(now);
    }

    /** The best snapshot could not be stored. */
    void failed(long now) {
        schedule.failed(now);
    }

    /** The snapshot is given up. */
    void abandon() {
        schedule.abandon();
    }

    /** An earlier leader has logged this answer. */
    void inherited(KeptAnswer answer) {
        newest = Optional.of(answer);
    }

    /** The best answer whose parts are stored, as far as is known. */
    Optional<KeptAnswer> newest() {
        return newest;
    }

    /** The best answer, if its residual is smaller than that of another vector. */
    Optional<KeptAnswer> below(double residual) {
        return below(residual, false);
    }

    private Optional<KeptAnswer> below(double residual, boolean orEqual) {
        return newest.filter(answer -> answer.residual() < residual || (orEqual && answer.residual() == residual));
    }

    /** The log names the newest answer; returns whether that is news. */
    boolean setLogged() {
        boolean isNews = !newest.equals(logged);
        logged = newest;
        return isNews;
    }

    /** The snapshot that the log names. */
    OptionalLong loggedSid() {
        return logged.map(answer -> OptionalLong.of(answer.sid())).orElseGet(OptionalLong::empty);
    }

    /** Parts of an answer are lost: the one before counts again, if there is one. */
    void lost(long sid) {
        logged = logged.filter(answer -> answer.sid() != sid);
        if (newest.filter(answer -> answer.sid() == sid).isPresent()) {
            newest = logged;
        }
    }

    int entries() {
        return newest.map(answer -> answer.parts().size()).orElse(0);
    }
}
