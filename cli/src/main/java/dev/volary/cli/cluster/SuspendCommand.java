// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.ExitCode;
import dev.volary.cli.UsageException;
import dev.volary.job.resource.IterativeJob;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code volary suspend} and {@code volary resume}: change {@code spec.suspend}; the operator does the rest. */
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
    @Command(
            name = "suspend",
            description = "Has a snapshot written to the job's checkpoint volume, and its pods deleted.")
    public static final class Suspend extends SuspendCommand {
        public Suspend() {
            super(true);
        }
    }

    /** {@code volary resume}. */
    @Command(name = "resume", description = "Has a suspended job go on from its snapshot.")
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
                        + ", which is final; there is nothing to " + spec.name());
            }
            if (job.getSpec().suspend() == suspend) {
                say("spec.suspend is " + suspend + " already, phase " + StatusText.phase(job));
            } else {
                cluster.change(named.name(), "{\"spec\":{\"suspend\":" + suspend + "}}");
                say(
                        suspend
                                ? "asked to suspend; its pods go when the snapshot is on the volume, see `volary status "
                                        + named.name() + "`"
                                : "asked to resume; see `volary status " + named.name() + "`");
            }
        }
        return ExitCode.CERTIFIED.code();
    }

    private void say(String what) {
        spec.commandLine().getOut().println(named.name() + ": " + what);
    }
}
