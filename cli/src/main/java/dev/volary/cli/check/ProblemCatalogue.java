// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import dev.volary.solver.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The problems that this program can solve, by name. */
public final class ProblemCatalogue {
    private final Map<String, Problem> problems;

    private ProblemCatalogue(Map<String, Problem> problems) {
        this.problems = problems;
    }

    /**
     * Loads every problem that a jar on the class path provides as a service.
     *
     * @throws IllegalStateException if two problems have the same name, or the service file of a jar is wrong
     */
    public static ProblemCatalogue load() {
        Map<String, Problem> problems = new TreeMap<>();
        try {
            for (Problem problem : ServiceLoader.load(Problem.class)) {
                Problem other = problems.putIfAbsent(problem.name(), problem);
                if (other != null) {
                    throw new IllegalStateException("two problems are named " + problem.name() + ": "
                            + other.getClass().getName() + " and "
                            + problem.getClass().getName() + "; remove one of their jars");
                }
            }
        } catch (ServiceConfigurationError brokenJar) {
            throw new IllegalStateException(
                    "a solver jar cannot be loaded (" + brokenJar.getMessage() + "); correct or remove it", brokenJar);
        }
        return new ProblemCatalogue(problems);
    }

    /** All problems, sorted by name. */
    public List<Problem> all() {
        return List.copyOf(problems.values());
    }

    /** All names, sorted. */
    public List<String> names() {
        return List.copyOf(problems.keySet());
    }

    public Optional<Problem> find(String name) {
        return Optional.ofNullable(problems.get(name));
    }
}
