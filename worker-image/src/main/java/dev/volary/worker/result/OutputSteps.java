// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import dev.volary.protocol.message.CommittedStep;
import dev.volary.solver.TimeStepping;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The time steps that a result has beside the last one. Each stands in the output folder as a Zarr group of its own,
 * {@code .steps/<step>.zarr}, from its commit until the result is complete. Two leaders may write the same step at the same time:
 * each writes into a folder of its own, and the first one that is complete gets the name. Calls block.
 */
public final class OutputSteps {
    private static final String FOLDER = ".steps";

    private static final Pattern NAME = Pattern.compile("(?<step>\\d{1,9})[.]zarr");

    private final Path folder;
    private final TimeStepping time;
    private final int every;
    private final int first;

    /**
     * A step before the last one.
     *
     * @param time in seconds
     * @param group a result of this step alone
     */
    record OutputStep(int step, double time, ZarrGroup group) {}

    /** Writes the vector of a step as {@code result.zarr} in a folder. */
    public interface StepWriter {
        void write(Path into) throws IOException;
    }

    /**
     * @param resultFolder the job's output folder
     * @param every steps whose number this divides belong to the result
     * @param first the first step that this job computes: it may go on from another job's
     */
    public OutputSteps(Path resultFolder, TimeStepping time, int every, int first) {
        this.folder = resultFolder.resolve(FOLDER);
        this.time = time;
        this.every = every;
        this.first = first;
    }

    /**
     * Keeps the vector of a committed step, unless it is here already.
     *
     * @throws IOException naming what cannot be written and the cause
     */
    public void keep(CommittedStep record, StepWriter writer) throws IOException {
        if (record.step() < first || isHere(record)) {
            return;
        }
        Path own = folder.resolve(ProcessHandle.current().pid() + "-" + record.step());
        Files.createDirectories(own);
        writer.write(own);
        try {
            Files.move(own.resolve("result.zarr"), place(record.step()), StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!isHere(record)) {
                throw e;
            }
            // An earlier leader was first; its copy has the same values, and this one goes with the folder.
        }
    }

    private boolean isHere(CommittedStep record) throws IOException {
        Path place = place(record.step());
        return Files.isDirectory(place)
                && ResultAttributes.of(ZarrGroup.open(place).attributes()).snapshot() == record.sid();
    }

    /**
     * The steps that the result has before its last one.
     *
     * @throws IOException if one of them is not here
     */
    List<OutputStep> before(int last) throws IOException {
        List<OutputStep> steps = new ArrayList<>();
        for (int step = every * Math.ceilDiv(firstKept(), every); step < last; step += every) {
            steps.add(new OutputStep(step, time.time(step), ZarrGroup.open(place(step))));
        }
        return steps;
    }

    /** A job that goes on after it was suspended has its earlier steps, if it has taken them over. */
    private int firstKept() throws IOException {
        int least = first;
        if (Files.isDirectory(folder)) {
            try (Stream<Path> places = Files.list(folder)) {
                for (Path place : places.toList()) {
                    Matcher name = NAME.matcher(place.getFileName().toString());
                    if (name.matches()) {
                        least = Math.min(least, Integer.parseInt(name.group("step")));
                    }
                }
            }
        }
        return least;
    }

    /** How many steps the result can have. */
    int most() {
        return Math.ceilDiv(time.steps(), every);
    }

    /** Whether a step is here. */
    public boolean has(int step) {
        return Files.isDirectory(place(step));
    }

    /**
     * Takes over steps that are not here: another leader has written them.
     *
     * @param series with these steps; the chunks of those that are here are not looked at
     */
    public void takeOver(ZarrGroup series) throws IOException {
        KeptSteps kept = KeptSteps.of(series);
        for (int i = 0; i < kept.steps().size(); i++) {
            int step = kept.steps().get(i);
            if (!has(step)) {
                ZarrArray one = series.array(kept.field()).at(i);
                ZarrGroup group = ZarrGroup.create(place(step));
                group.createArray(kept.field(), one.grid(), one.dimensions(), Map.of())
                        .takeChunks(one);
                double residual = kept.residuals().get(i);
                group.commit(new ResultAttributes(
                                "",
                                "",
                                true,
                                residual,
                                residual,
                                residual,
                                kept.snapshots().get(i))
                        .toMap());
            }
        }
    }

    /** The time of a step, in seconds. */
    double time(int step) {
        return time.time(step);
    }

    private Path place(int step) {
        return folder.resolve(step + ".zarr");
    }
}
