// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.command;

import dev.volary.cli.console.ExitCode;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code volary completion}: prints a script that completes the arguments of {@code volary}. */
@Command(
        name = "completion",
        description = {
            "Print a script that completes volary's arguments.",
            "",
            "bash: source <(volary completion bash)",
            "zsh:  source <(volary completion zsh)"
        },
        mixinStandardHelpOptions = true)
public final class CompletionCommand implements Callable<Integer> {
    /** The supported shells. */
    public enum Shell {
        bash,
        zsh
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.bash;

    @Override
    public Integer call() {
        String script = AutoComplete.bash("volary", spec.root().commandLine());
        // when zsh sources picocli's script, the script loads bash's completion functions
        String head = shell == Shell.zsh ? "autoload -U +X compinit && compinit\n" : "";
        spec.commandLine().getOut().print(head + script);
        spec.commandLine().getOut().flush();
        return ExitCode.CERTIFIED.code();
    }
}
