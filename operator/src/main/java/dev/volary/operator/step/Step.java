package dev.volary.operator.step;

/** One part of a decision. Steps run one after the other on the same draft; none does anything but write to it. */
@FunctionalInterface
interface Step {
    void take(Seen seen, Draft draft);
}
