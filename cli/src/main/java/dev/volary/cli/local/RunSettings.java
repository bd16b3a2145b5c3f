// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import dev.volary.cli.chaos.ChaosPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The options of one local run.
 *
 * @param output output folder
 * @param seed seed of all random choices
 * @param basePort first port on which workers listen, two ports per worker; 0 for any free ports
 * @param faults network faults to inject; empty for none
 * @param pace minimum duration of an iteration by worker name, {@code *} for all
 * @param threads compute threads of each daemon; 0 for an even share of the processors
 * @param haloShare share of a processor that sending halos may take from computing; 0 for no limit
 * @param zones number of simulated failure domains; 0 for none
 * @param chaos faults to inject into workers; empty for none
 * @param checkpoints folder for checkpoints; empty for none
 * @param restore folder of the checkpoints to restore from; empty to start from the beginning
 */
public record RunSettings(
        Path output,
        long seed,
        int basePort,
        String faults,
        Map<String, Duration> pace,
        int threads,
        double haloShare,
        int zones,
        Optional<ChaosPlan> chaos,
        Optional<Path> checkpoints,
        Optional<Path> restore) {

    public RunSettings {
        pace = Map.copyOf(pace);
    }
}
