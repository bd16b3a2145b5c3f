// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.cli.TimeOption;
import dev.volary.cli.UsageException;
import dev.volary.cli.chaos.ChaosMonkey;
import dev.volary.cli.chaos.ChaosOptions;
import dev.volary.cli.chaos.ChaosPlan;
import dev.volary.cli.chaos.LifetimeModel;
import dev.volary.simulator.FailureModel;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongFunction;
import picocli.CommandLine.Option;

/** The options that say when simulated workers die on their own. */
final class FailureOptions {
    @Option(
            names = "--mtbf",
            paramLabel = "TIME",
            description = "Mean life time of a daemon, exponentially distributed, as 10m; instead of --kill.")
    private Optional<String> mtbf = Optional.empty();

    @Option(
            names = "--silent",
            description = "Hosts vanish with their processes: nobody refuses a connection, only silence tells.")
    private boolean silent;

    /**
     * What befalls the workers of a job, by seed.
     *
     * @param daemons of the job, standbys included
     * @throws UsageException if options contradict each other, or would leave nobody
     */
    LongFunction<FailureModel> fate(ChaosOptions chaos, int daemons, int spawners) throws UsageException {
        Optional<ChaosPlan> plan = chaos.plan(daemons, spawners);
        if (mtbf.isPresent() && plan.isPresent()) {
            throw new UsageException("--mtbf is " + mtbf.get()
                    + ", but --kill is given too; leave one of them out: they are two models of failure");
        }
        if (silent
                && mtbf.isEmpty()
                && plan.filter(kills -> kills.manner() == ChaosPlan.Kind.KILL).isEmpty()) {
            throw new UsageException("--silent needs deaths; add --mtbf 10m or --kill 1 --every 30s, or leave it out");
        }
        if (mtbf.isPresent()) {
            Duration mean = TimeOption.positive("--mtbf", mtbf.get());
            if (daemons == 1) {
                throw new UsageException("--mtbf is " + mtbf.get() + ", but there is only one daemon, which is spared;"
                        + " raise spec.daemons.replicas or give --daemons");
            }
            return seed -> new RandomLifetimes(new LifetimeModel(mean, seed), silent);
        }
        return seed -> plan.<FailureModel>map(kills -> new ChaosFailures(new ChaosMonkey(kills, seed), kills, silent))
                .orElse(FailureModel.NONE);
    }
}
