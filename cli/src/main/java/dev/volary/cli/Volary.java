// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli;

import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.UsageException;
import dev.volary.cli.console.VersionText;
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

/** The {@code volary} command. Runs the subcommand and turns a failure into one message and an {@link ExitCode}. */
@Command(
        name = "volary",
        description = "Run iterative solvers on machines that come and go.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        sortOptions = false)
public final class Volary implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
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

    /** The command with all its subcommands; it prints to the writers that {@code setOut} and {@code setErr} set. */
    public static CommandLine commandLine(Style style) {
        return commandLine(style, Commands.all(style, isTerminal()));
    }

    private static CommandLine commandLine(Style style, Map<String, Object> subcommands) {
        CommandLine commands = new CommandLine(new Volary());
        subcommands.forEach((name, command) -> commands.addSubcommand(name, command));
        commands.setCaseInsensitiveEnumValuesAllowed(true)
                .setColorScheme(CommandLine.Help.defaultColorScheme(style.color() ? Ansi.ON : Ansi.OFF))
                .setExecutionStrategy(new CommandLine.RunLast())
                .setParameterExceptionHandler((invalid, arguments) -> badArguments(invalid, style))
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

    private static int badArguments(ParameterException invalid, Style style) {
        CommandLine command = invalid.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(style.red("error: ") + invalid.getMessage());
        if (!UnmatchedArgumentException.printSuggestions(invalid, err)) {
            err.println("See " + command.getCommandSpec().qualifiedName() + " --help.");
        }
        return ExitCode.BAD_INPUT.code();
    }

    /** Prints one line per error that the user can correct; prints a stack trace only for a bug in Volary. */
    private static int failed(Exception failure, CommandLine command, Style style) {
        PrintWriter err = command.getErr();
        String error = style.red("error: ");
        return switch (failure) {
            case ManifestException invalid -> {
                invalid.errors().forEach(each -> err.println(error + each));
                yield ExitCode.BAD_INPUT.code();
            }
            case UsageException invalid -> {
                err.println(error + invalid.getMessage());
                yield ExitCode.BAD_INPUT.code();
            }
            case IOException broken -> {
                err.println(error + broken.getMessage());
                yield ExitCode.FAILED.code();
            }
            default -> {
                err.println(error + "this is a bug in volary; please report it with the lines below");
                failure.printStackTrace(err);
                yield ExitCode.FAILED.code();
            }
        };
    }

    /** Whether a person reads the output: standard input and output are both a terminal. */
    private static boolean isTerminal() {
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }
}
