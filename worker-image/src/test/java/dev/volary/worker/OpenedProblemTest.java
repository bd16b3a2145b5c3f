package dev.volary.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.solver.InvalidProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private JobDescription job() {
        return JobDescription.newBuilder()
                .putInputs("in", folder.resolve("data").toString())
                .build();
    }
}
