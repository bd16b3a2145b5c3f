package dev.volary.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InvalidProblem;
import dev.volary.solver.Model;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import dev.volary.solver.TimeStepping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker reads exactly the inputs that its job names. */
class OpenedProblemTest {
    @TempDir
    Path folder;

    @Test
    void findsAFileOfAnInput() throws IOException, InvalidProblem {
        Path file = Files.writeString(
                Files.createDirectories(folder.resolve("data")).resolve("a.mtx"), "a");
        assertEquals(file, OpenedProblem.inputs(job()).resolve("in:a.mtx"));
    }

    @Test
    void doesNotFollowALinkOutOfAnInput() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "s");
        Files.createSymbolicLink(Files.createDirectories(folder.resolve("data")).resolve("link"), secret);
        assertEquals(
                "in:link is a link that leads out of its folder " + folder.resolve("data")
                        + "; copy the file into the folder",
                assertThrows(
                                InvalidProblem.class,
                                () -> OpenedProblem.inputs(job()).resolve("in:link"))
                        .getMessage());
    }

    @Test
    void refusesAProblemThatMarchesInTime() {
        assertEquals(
                "spec.problem.type is oven, which marches in time;"
                        + " choose another: this version runs stationary problems only",
                assertThrows(InvalidProblem.class, () -> OpenedProblem.refuseTimeStepping("oven", new Oven()))
                        .getMessage());
    }

    /** A model of which nothing is asked but how it marches in time. */
    private static final class Oven implements Model {
        @Override
        public Optional<TimeStepping> timeStepping() {
            return Optional.of(new TimeStepping(10, 0.1));
        }

        @Override
        public Shape unknowns() {
            throw new AssertionError("refused before this");
        }

        @Override
        public Decomposition decompose(int blocks) {
            throw new AssertionError("refused before this");
        }

        @Override
        public Block block(Decomposition decomposition, int id, Resources resources) {
            throw new AssertionError("refused before this");
        }

        @Override
        public double scale() {
            throw new AssertionError("refused before this");
        }

        @Override
        public double attainableFloor() {
            throw new AssertionError("refused before this");
        }
    }

    private JobDescription job() {
        return JobDescription.newBuilder()
                .putInputs("in", folder.resolve("data").toString())
                .build();
    }
}
