package dev.volary.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/** The subcommands, in the order in which help shows them. */
final class Commands {
    private Commands() {}

    static Map<String, Object> all(Style style) {
        Map<String, Object> commands = new LinkedHashMap<>();
        commands.put("validate", new ValidateCommand(style));
        commands.put("plan", new PlanCommand(style));
        commands.put("problems", new ProblemsCommand(style));
        commands.put("plot", new PlotCommand());
        commands.put("completion", new CompletionCommand());
        return commands;
    }
}
