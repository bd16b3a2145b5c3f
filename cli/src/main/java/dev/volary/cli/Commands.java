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

    /** The one that the arguments name, which alone is then worth preparing; all if they name none, or want them all. */
    static Map<String, Object> needed(String[] arguments, Style style, boolean isTerminal) {
        Map<String, Object> all = all(style, isTerminal);
        String name = arguments.length == 0 ? "" : arguments[0];
        Object named = all.get(name);
        return named == null || named instanceof CompletionCommand ? all : Map.of(name, named);
    }
}
