// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import dev.volary.protocol.message.CommittedStep;
import dev.volary.solver.TimeStepping;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The time steps that a result has beside the last one. Each stands in the output folder as a Zarr group of its own,
 * {@code .steps/<step>.zarr}, from its commit until the result is complete. Two leaders may write the same step at the same time:
 * each writes into a folder of its own, and the first one that is complete gets the name. Calls block.
 */
public final class OutputSteps {
    private static final String FOLDER = ".steps";

    private final Path folder;
    private final TimeStepping time;
    private final int every;
    private final int first;

    /**
     * A step before the last one.
     *
     * @param time in seconds
     * @param residual certified, relative
     * @param group a result of this step alone
     */
    record OutputStep(int step, double time, double residual, ZarrGroup group) {}

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
        for (int step = every * Math.ceilDiv(first, every); step < last; step += every) {
            ZarrGroup group = ZarrGroup.open(place(step));
            double residual = ResultAttributes.of(group.attributes()).certifiedResidual();
            steps.add(new OutputStep(step, time.time(step), residual, group));
        }
        return steps;
    }

    /** The time of a step, in seconds. */
    double time(int step) {
        return time.time(step);
    }

    private Path place(int step) {
        return folder.resolve(step + ".zarr");
    }
}
