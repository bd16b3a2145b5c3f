// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.mesh.v1.SchemeKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The jobs of one test. Ends all their pods after it. */
final class PodJobFixture implements AfterEachCallback {
    private final List<PodJob> jobs = new ArrayList<>();

    /** A job that has no pods yet. */
    PodJob create(Path folder, JobDescription description) throws Exception {
        PodJob job = new PodJob(folder, description);
        jobs.add(job);
        return job;
    }

    /** Waits for states of the jobs; a failure shows all logs. */
    Eventually eventually() {
        return new Eventually(() -> jobs.stream().map(PodJob::output).collect(Collectors.joining()));
    }

    /** The parts of a job description that all tests share. */
    static JobDescription.Builder description(String name, String uid) {
        return JobDescription.newBuilder()
                .setName(name)
                .setNamespace("science")
                .setUid(uid)
                .setProblemHash(42)
                .setScheme(SchemeKind.SCHEME_ASYNCHRONOUS)
                .setFormationMillis(60_000)
                .setHelloWaitMillis(5_000)
                .setResultFolder("/var/spool/volary")
                .setSeed(1)
                .setBulkShare(0.2);
    }

    /** Two blocks of a plate of 24 × 24 points, for two daemons; point Jacobi takes hundreds of iterations. */
    static JobDescription.Builder heat(String uid) {
        return description("heat", uid)
                .setProblem("heat2d")
                .putParameters(
                        "points", ParameterValue.newBuilder().setWhole(24).build())
                .putParameters(
                        "method",
                        ParameterValue.newBuilder().setText("PointJacobi").build())
                .setBlocks(2)
                .setExpectedDaemons(2);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        jobs.forEach(PodJob::close);
    }
}
