package dev.volary.cli;

import dev.volary.cli.run.RunCommand;
import java.util.LinkedHashMap;
import java.util.Map;

/** The subcommands, in the order in which help shows them. */
final class Commands {
    private Commands() {}

    static Map<String, Object> all(Style style, boolean isTerminal) {
        Map<String, Object> commands = new LinkedHashMap<>();
        commands.put("run", new RunCommand(style, isTerminal));
        commands.put("validate", new ValidateCommand(style));
        commands.put("plan", new PlanCommand(style));
        commands.put("problems", new ProblemsCommand(style));
        commands.put("plot", new PlotCommand());
        commands.put("completion", new CompletionCommand());
        return commands;
    }
}
