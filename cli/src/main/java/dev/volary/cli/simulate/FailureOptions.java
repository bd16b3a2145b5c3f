// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.cli.chaos.ChaosMonkey;
import dev.volary.cli.chaos.ChaosOptions;
import dev.volary.cli.chaos.ChaosPlan;
import dev.volary.cli.chaos.LifetimeModel;
import dev.volary.cli.console.TimeOption;
import dev.volary.cli.console.UsageException;
import dev.volary.simulator.scenario.FailureModel;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongFunction;
import picocli.CommandLine.Option;

/** The options for random failures of simulated workers. */
final class FailureOptions {
    @Option(
            names = "--mtbf",
            paramLabel = "TIME",
            description = "Mean lifetime of a daemon, exponentially distributed, for example 10m; replaces --kill.")
    private Optional<String> mtbf = Optional.empty();

    @Option(names = "--silent", description = "Simulate host failures: connections time out instead of being refused.")
    private boolean silent;

    /**
     * The failure model of a run, by seed.
     *
     * @param daemons number of daemons, including standbys
     * @throws UsageException if options contradict each other, or no daemon would be left
     */
    LongFunction<FailureModel> model(ChaosOptions chaos, int daemons, int spawners) throws UsageException {
        Optional<ChaosPlan> plan = chaos.plan(daemons, spawners);
        if (mtbf.isPresent() && plan.isPresent()) {
            throw new UsageException("--mtbf is " + mtbf.get()
                    + ", but --kill is given too; remove one of them, since they are two failure models");
        }
        if (silent
                && mtbf.isEmpty()
                && plan.filter(kills -> kills.fault() == ChaosPlan.Fault.KILL).isEmpty()) {
            throw new UsageException(
                    "--silent requires failures; add --mtbf 10m or --kill 1 --every 30s, or remove it");
        }
        if (mtbf.isPresent()) {
            Duration mean = TimeOption.positive("--mtbf", mtbf.get());
            if (daemons == 1) {
                throw new UsageException("--mtbf is " + mtbf.get() + ", but the only daemon never fails;"
                        + " raise spec.daemons.replicas or use --daemons");
            }
            return seed -> new RandomLifetimes(new LifetimeModel(mean, seed), silent);
        }
        return seed -> plan.<FailureModel>map(kills -> new ChaosFailures(new ChaosMonkey(kills, seed), kills, silent))
                .orElse(FailureModel.NONE);
    }
}
