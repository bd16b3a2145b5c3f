// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli;

import dev.volary.job.manifest.ManifestException;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code volary} command. Finds the subcommand, and turns failures into one message and an exit code. */
@Command(
        name = "volary",
        description = "Runs iterative solvers on machines that come and go.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        sortOptions = false)
public final class Volary implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }

    /** Runs the command and ends the process with its {@link ExitCode}. */
    public static void main(String[] arguments) {
        System.setProperty("java.awt.headless", "true");
        Style style = Style.detect(isTerminal(), System.getenv());
        PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
        PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
        int code = commandLine(style, Commands.needed(arguments, style, isTerminal()))
                .setOut(out)
                .setErr(err)
                .execute(arguments);
        out.flush();
        err.flush();
        System.exit(code);
    }

    /** The command with all its subcommands; output goes where {@code setOut} and {@code setErr} say. */
    public static CommandLine commandLine(Style style) {
        return commandLine(style, Commands.all(style, isTerminal()));
    }

    private static CommandLine commandLine(Style style, Map<String, Object> subcommands) {
        CommandLine commands = new CommandLine(new Volary());
        subcommands.forEach((name, command) -> commands.addSubcommand(name, command));
        commands.setCaseInsensitiveEnumValuesAllowed(true)
                .setColorScheme(CommandLine.Help.defaultColorScheme(style.colour() ? Ansi.ON : Ansi.OFF))
                .setExecutionStrategy(new CommandLine.RunLast())
                .setParameterExceptionHandler((wrong, arguments) -> badArguments(wrong, style))
                .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command, style));
        String[] codes = Arrays.stream(ExitCode.values())
                .map(e -> String.format("  %3d  %s", e.code(), e.meaning()))
                .toArray(String[]::new);
        describeExitCodes(commands, codes);
        commands.getSubcommands().values().forEach(sub -> describeExitCodes(sub, codes));
        return commands;
    }

    private static void describeExitCodes(CommandLine command, String[] codes) {
        command.getCommandSpec().usageMessage().footerHeading("%nExit codes:%n").footer(codes);
    }

    private static int badArguments(ParameterException wrong, Style style) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(style.red("error: ") + wrong.getMessage());
        if (!UnmatchedArgumentException.printSuggestions(wrong, err)) {
            err.println("See " + command.getCommandSpec().qualifiedName() + " --help.");
        }
        return ExitCode.BAD_INPUT.code();
    }

    /** One line for each thing the user can correct; a stack trace only for a fault of the program. */
    private static int failed(Exception failure, CommandLine command, Style style) {
        PrintWriter err = command.getErr();
        String error = style.red("error: ");
        return switch (failure) {
            case ManifestException refused -> {
                refused.errors().forEach(each -> err.println(error + each));
                yield ExitCode.BAD_INPUT.code();
            }
            case UsageException refused -> {
                err.println(error + refused.getMessage());
                yield ExitCode.BAD_INPUT.code();
            }
            case IOException broken -> {
                err.println(error + broken.getMessage());
                yield ExitCode.FAILED.code();
            }
            default -> {
                err.println(error + "a fault of the program; please report it with these lines");
                failure.printStackTrace(err);
                yield ExitCode.FAILED.code();
            }
        };
    }

    /** Whether a person watches: input and output are both a terminal. */
    private static boolean isTerminal() {
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }
}
