// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.mesh.v1.SchemeKind;
import dev.volary.mesh.v1.ToleranceNorm;
import dev.volary.solver.InvalidProblemException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker reads exactly the inputs that its job names. */
class OpenedProblemTest {
    @TempDir
    Path folder;

    @Test
    void findsAFileOfAnInput() throws IOException, InvalidProblemException {
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
                                InvalidProblemException.class,
                                () -> OpenedProblem.inputs(job()).resolve("in:link"))
                        .getMessage());
    }

    @Test
    void theErrorForAnUnknownProblemListsTheKnownOnesAndHowToAddOne() {
        InvalidProblemException refused =
                assertThrows(InvalidProblemException.class, () -> OpenedProblem.open(of("heat3d")));
        assertEquals(
                "spec.problem.type is \"heat3d\", but the workers' image has no such problem; use one of"
                        + " advection-diffusion-reaction, convection-diffusion, heat2d, heat2d-implicit, linear-system, obstacle3d, pagerank, poisson3d, or put the jar that brings it into the"
                        + " image's folder /opt/volary/solvers",
                refused.getMessage());
    }

    @Test
    void theErrorNamesASolverJarThatCannotBeLoaded() throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve("dev.volary.solver.Problem"), "our.Missing\n");
        Thread here = Thread.currentThread();
        ClassLoader before = here.getContextClassLoader();
        try (URLClassLoader withJar =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            here.setContextClassLoader(withJar);
            InvalidProblemException refused =
                    assertThrows(InvalidProblemException.class, () -> OpenedProblem.open(of("heat3d")));
            String message = String.valueOf(refused.getMessage());
            assertTrue(message.contains("our.Missing") && message.endsWith("; correct or remove it"), message);
        } finally {
            here.setContextClassLoader(before);
        }
    }

    @Test
    void aToleranceIsRelativeToTheScaleOrAbsoluteAsTheNormSays() throws IOException, InvalidProblemException {
        JobDescription job = of("heat2d").toBuilder().setTolerance("1e-3").build();
        OpenedProblem problem = OpenedProblem.open(job);
        double scale = problem.model().scale();
        assertNotEquals(1, scale);
        JobDescription relative =
                job.toBuilder().setNorm(ToleranceNorm.NORM_RELATIVE).build();
        assertEquals(1e-3 * scale, problem.completed(relative).getAbsoluteTolerance());
        JobDescription absolute =
                job.toBuilder().setNorm(ToleranceNorm.NORM_ABSOLUTE).build();
        assertEquals(1e-3, problem.completed(absolute).getAbsoluteTolerance());
    }

    @Test
    void anIterationThatMayDivergeIsRefusedWithTheTextOfTheCommandLine() throws IOException, InvalidProblemException {
        JobDescription job = diverging();
        OpenedProblem problem = OpenedProblem.open(job);
        InvalidProblemException refused =
                assertThrows(InvalidProblemException.class, () -> problem.check(job, Long.MAX_VALUE));
        String message = String.valueOf(refused.getMessage());
        assertTrue(
                message.startsWith("spec.problem fails the pre-flight check: ρ(|T|) ")
                        && message.contains(", above 1: some asynchronous schedules diverge; ")
                        && message.contains("set spec.convergence.acceptRisk: true"),
                message);
    }

    /** 23170² values of 8 bytes are 4 GiB; opening the problem allocates none of them. */
    @Test
    void aBlockWhoseStateIsTooLargeForABackupIsRefusedWithTheTextOfTheCommandLine() throws Exception {
        JobDescription job = JobDescription.newBuilder()
                .setProblem("heat2d")
                .putParameters(
                        "points", ParameterValue.newBuilder().setWhole(23_170).build())
                .putParameters(
                        "method",
                        ParameterValue.newBuilder().setText("PointJacobi").build())
                .setBlocks(2)
                .setExpectedDaemons(2)
                .setExpectedSpawners(1)
                .setCopies(1)
                .build();
        OpenedProblem problem = OpenedProblem.open(job);
        assertEquals(
                "spec.blocks is 2, but block 0 then has a state of 2048 MiB, and a backup holds at most 2031 MiB; raise it"
                        + " to 3 or more, or set spec.checkpoint.copies: 0",
                assertThrows(InvalidProblemException.class, () -> problem.check(job, Long.MAX_VALUE))
                        .getMessage());
        problem.check(job.toBuilder().setCopies(0).build(), Long.MAX_VALUE);
    }

    @Test
    void anAcceptedRiskOrTheSynchronousSchemeIsNotRefused() throws IOException, InvalidProblemException {
        JobDescription job = diverging();
        OpenedProblem problem = OpenedProblem.open(job);
        problem.check(job.toBuilder().setAcceptRisk(true).build(), Long.MAX_VALUE);
        problem.check(job.toBuilder().setScheme(SchemeKind.SCHEME_SYNCHRONOUS).build(), Long.MAX_VALUE);
    }

    /** A matrix whose Jacobi iteration has the spectral radius 2. */
    private JobDescription diverging() throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("data")).resolve("a.mtx"), """
                %%MatrixMarket matrix coordinate real general
                2 2 4
                1 1 1
                1 2 2
                2 1 2
                2 2 1
                """);
        return job().toBuilder()
                .setProblem("linear-system")
                .putParameters(
                        "matrix",
                        ParameterValue.newBuilder().setText("in:a.mtx").build())
                .putParameters(
                        "method",
                        ParameterValue.newBuilder().setText("PointJacobi").build())
                .setBlocks(2)
                .setExpectedDaemons(2)
                .setExpectedSpawners(1)
                .build();
    }

    private static JobDescription of(String problem) {
        return JobDescription.newBuilder().setProblem(problem).setBlocks(1).build();
    }

    private JobDescription job() {
        return JobDescription.newBuilder()
                .putInputs("in", folder.resolve("data").toString())
                .build();
    }
}
