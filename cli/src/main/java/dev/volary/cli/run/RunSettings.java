// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.chaos.ChaosPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What the command line adds to a manifest for one local run.
 *
 * @param output folder of this job's output
 * @param seed of everything that is drawn by chance
 * @param basePort first port workers listen on, each taking two; 0 for any free ones
 * @param faults to inject into the mesh; empty for none
 * @param pace least duration of an iteration by worker name, {@code *} for all
 * @param threads compute threads of each daemon; 0 for an even share of the cores
 * @param pacing share of a core that halo traffic may take while computing is busy; 0 switches pacing off
 * @param zones simulated failure domains that workers are dealt out over; 0 for none
 * @param chaos crashes to provoke
 * @param checkpoints folder that snapshots go to as well; none to keep none
 * @param restore folder of checkpoints that the job goes on from; none to begin
 */
record RunSettings(
        Path output,
        long seed,
        int basePort,
        String faults,
        Map<String, Duration> pace,
        int threads,
        double pacing,
        int zones,
        Optional<ChaosPlan> chaos,
        Optional<Path> checkpoints,
        Optional<Path> restore) {

    RunSettings {
        pace = Map.copyOf(pace);
    }
}
