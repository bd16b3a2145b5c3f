// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli;

import dev.volary.cli.cluster.CheckpointCommand;
import dev.volary.cli.cluster.DescribeCommand;
import dev.volary.cli.cluster.FetchCommand;
import dev.volary.cli.cluster.KillCommand;
import dev.volary.cli.cluster.LogsCommand;
import dev.volary.cli.cluster.StatusCommand;
import dev.volary.cli.cluster.SuspendCommand;
import dev.volary.cli.command.CompletionCommand;
import dev.volary.cli.command.ExportCommand;
import dev.volary.cli.command.PlanCommand;
import dev.volary.cli.command.PlotCommand;
import dev.volary.cli.command.ProblemsCommand;
import dev.volary.cli.command.ValidateCommand;
import dev.volary.cli.console.Style;
import dev.volary.cli.run.RunCommand;
import dev.volary.cli.simulate.SimulateCommand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates the subcommands, each only when it is needed: those for a cluster load a Kubernetes client, another loads the
 * simulator.
 */
final class Commands {
    private static final String COMPLETION = "completion";

    /** In the order in which {@code --help} shows them. */
    private static final List<String> NAMES = List.of(
            "run",
            "validate",
            "plan",
            "simulate",
            "problems",
            "plot",
            "export",
            "status",
            "describe",
            "fetch",
            "logs",
            "checkpoint",
            "suspend",
            "resume",
            "kill",
            COMPLETION);

    private Commands() {}

    static Map<String, Object> all(Style style, boolean isTerminal) {
        Map<String, Object> commands = new LinkedHashMap<>();
        NAMES.forEach(name -> commands.put(name, command(name, style, isTerminal)));
        return commands;
    }

    /** The subcommand that the arguments name; all subcommands if they name none, or for {@code completion}. */
    static Map<String, Object> needed(String[] arguments, Style style, boolean isTerminal) {
        String name = arguments.length == 0 ? "" : arguments[0];
        return NAMES.contains(name) && !name.equals(COMPLETION)
                ? Map.of(name, command(name, style, isTerminal))
                : all(style, isTerminal);
    }

    private static Object command(String name, Style style, boolean isTerminal) {
        return switch (name) {
            case "run" -> new RunCommand(style, isTerminal);
            case "validate" -> new ValidateCommand(style);
            case "plan" -> new PlanCommand(style);
            case "simulate" -> new SimulateCommand(style);
            case "problems" -> new ProblemsCommand(style);
            case "plot" -> new PlotCommand();
            case "export" -> new ExportCommand();
            case "status" -> new StatusCommand(style);
            case "describe" -> new DescribeCommand(style);
            case "fetch" -> new FetchCommand(style, isTerminal);
            case "logs" -> new LogsCommand(style);
            case "checkpoint" -> new CheckpointCommand();
            case "suspend" -> new SuspendCommand.Suspend();
            case "resume" -> new SuspendCommand.Resume();
            case "kill" -> new KillCommand(style);
            case COMPLETION -> new CompletionCommand();
            default -> throw new IllegalArgumentException("no command is named " + name);
        };
    }
}
