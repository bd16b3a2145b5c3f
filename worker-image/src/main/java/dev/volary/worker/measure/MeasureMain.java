// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.measure;

import dev.volary.mesh.job.JobDescriptionFile;
import dev.volary.solver.InvalidProblemException;
import dev.volary.worker.runtime.OpenedProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Measures one block in a JVM like that of a daemon, and prints what it costs as properties. Takes the file with the job's
 * description, the number of the block and the milliseconds to iterate.
 */
final class MeasureMain {
    private MeasureMain() {}

    public static void main(String[] args) throws IOException {
        try {
            OpenedProblem problem = OpenedProblem.open(JobDescriptionFile.read(Files.readString(Path.of(args[0]))));
            BlockMeasurement measured =
                    BlockMeasurement.of(problem, Integer.parseInt(args[1]), Duration.ofMillis(Long.parseLong(args[2])));
            measured.properties().store(System.out, null);
        } catch (InvalidProblemException wrong) {
            System.err.println(wrong.getMessage());
            System.exit(2);
        }
    }
}
