// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.cluster.client.ClusterClient;
import dev.volary.cli.cluster.client.JobArgument;
import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.UsageException;
import dev.volary.job.resource.IterativeJob;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code volary suspend} and {@code volary resume}: change {@code spec.suspend}; the operator reacts to it. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
public abstract sealed class SuspendCommand implements Callable<Integer> {
    private final boolean suspend;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JobArgument named = new JobArgument();

    private SuspendCommand(boolean suspend) {
        this.suspend = suspend;
    }

    /** {@code volary suspend}. */
    @Command(name = "suspend", description = "Suspend a job: take a checkpoint, then delete its pods.")
    public static final class Suspend extends SuspendCommand {
        public Suspend() {
            super(true);
        }
    }

    /** {@code volary resume}. */
    @Command(name = "resume", description = "Resume a suspended job from its snapshot.")
    public static final class Resume extends SuspendCommand {
        public Resume() {
            super(false);
        }
    }

    @Override
    public Integer call() throws UsageException, IOException {
        try (ClusterClient cluster = named.connect()) {
            IterativeJob job = named.in(cluster);
            if (StatusText.phase(job).isFinal()) {
                throw new UsageException("job " + named.name() + " is " + StatusText.phase(job)
                        + ", which is final; only a job that has not ended can be "
                        + (suspend ? "suspended" : "resumed"));
            }
            if (job.getSpec().suspend() == suspend) {
                print("spec.suspend is already " + suspend + "; the phase is " + StatusText.phase(job));
            } else {
                cluster.change(named.name(), "{\"spec\":{\"suspend\":" + suspend + "}}");
                print(
                        suspend
                                ? "suspending; the operator deletes the pods once the checkpoint is stored, see `volary status "
                                        + named.name() + "`"
                                : "resuming; see `volary status " + named.name() + "`");
            }
        }
        return ExitCode.CERTIFIED.code();
    }

    private void print(String message) {
        spec.commandLine().getOut().println(named.name() + ": " + message);
    }
}
