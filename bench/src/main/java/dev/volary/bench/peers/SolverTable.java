// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import java.util.ArrayList;
import java.util.List;

/** Describes a contest of solvers by a table and as rows of a plot. */
final class SolverTable {
    static final String VOLARY = "Volary";
    static final String TWO_DAEMONS = "Volary, two daemons";

    private SolverTable() {}

    /** Adds a row for each program, and a paragraph for each that failed. */
    static void add(Section section, Contest contest) {
        List<List<String>> rows = new ArrayList<>();
        double volary = contest.median(VOLARY, PeerResult::solveSeconds);
        for (String name : contest.names()) {
            double solve = contest.median(name, PeerResult::solveSeconds);
            rows.add(List.of(
                    name,
                    Section.count(contest.median(name, PeerResult::iterations)),
                    Section.small(contest.largest(name, PeerResult::residual)),
                    Section.number(contest.median(name, PeerResult::setupSeconds)),
                    Section.number(solve),
                    Section.number(contest.median(name, PeerResult::wholeSeconds)),
                    Section.number(volary / solve)));
        }
        section.table(
                List.of(
                        "program",
                        "iterations",
                        "residual",
                        "set-up, s",
                        "solve, s",
                        "whole command, s",
                        "Volary / this, solve"),
                rows);
        contest.failures().forEach((name, reason) -> section.text(name + " has no result: " + reason));
    }

    /** The solve times of a contest for a plot. */
    static TimesPlot.Group group(String title, Contest contest) {
        return new TimesPlot.Group(
                title,
                contest.names().stream()
                        .map(name -> new TimesPlot.Row(
                                name,
                                contest.median(name, PeerResult::solveSeconds),
                                contest.median(name, PeerResult::wholeSeconds),
                                name.startsWith(VOLARY)))
                        .toList());
    }
}
