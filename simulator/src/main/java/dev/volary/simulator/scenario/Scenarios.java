// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import java.util.List;
import java.util.stream.Stream;

/** The scenarios of the build, to be found by name. */
public final class Scenarios {
    private Scenarios() {}

    /** All of them, in the order in which they run. */
    public static List<Scenario> all() {
        return Stream.of(SteadyScenarios.all(), FaultScenarios.all(), TimeStepScenarios.all(), RoundScenarios.all())
                .flatMap(List::stream)
                .toList();
    }

    /**
     * The scenario of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Scenario named(String name) {
        return all().stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scenario " + name + ", there are "
                        + all().stream().map(Scenario::name).toList()));
    }
}
