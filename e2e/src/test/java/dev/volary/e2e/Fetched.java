// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import com.google.gson.JsonObject;
import dev.volary.mesh.job.JobDescriptionFile;
import dev.volary.mesh.spawnerapi.ResultDigest;
import dev.volary.mesh.v1.FetchedFile;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.solver.Halos;
import dev.volary.solver.InputFolders;
import dev.volary.solver.Model;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * A result brought home from the leader, and judged by the problem's own equations on one block that is the whole domain.
 *
 * @param certified residual that the job ended with, absolute
 * @param tolerance absolute
 * @param residual of the vector that was fetched
 */
record Fetched(double certified, double tolerance, Residual residual) {
    /** @param home a folder that the result is written to */
    static Fetched of(ClusterJob job, Path home) throws Exception {
        try (Spawner leader = Spawner.of(job, job.leader())) {
            StatusReply status = leader.client().status(0);
            List<FetchedFile> files = leader.client().fetch(home);
            Fetched fetched = new Fetched(
                    status.getOutcome().getCertified().getResidual(), status.getTolerance(), residual(job, home));
            leader.client().acknowledge(ResultDigest.of(files));
            return fetched;
        }
    }

    /** @param home the folder that {@code volary fetch} has written it to */
    static Fetched in(ClusterJob job, Path home) throws Exception {
        ResultAttributes attributes =
                ResultAttributes.of(ZarrGroup.open(home.resolve("result.zarr")).attributes());
        double scale = attributes.certifiedResidualAbsolute() / attributes.certifiedResidual();
        return new Fetched(attributes.certifiedResidualAbsolute(), attributes.tolerance() * scale, residual(job, home));
    }

    private static Residual residual(ClusterJob job, Path home) throws Exception {
        JsonObject data = Kubectl.json("-n", job.namespace(), "get", "configmap", "volary-" + job.name() + "-job")
                .getAsJsonObject("data");
        JobDescription description =
                JobDescriptionFile.read(data.get("job.json").getAsString());
        Map<String, Object> given = new HashMap<>();
        description.getParametersMap().forEach((name, value) -> given.put(name, plain(value)));
        Problem problem = ServiceLoader.load(Problem.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(p -> p.name().equals(description.getProblem()))
                .findFirst()
                .orElseThrow();
        Model whole = problem.open(ParameterValues.of(problem.parameters(), given), new InputFolders(Map.of()));
        ZarrGroup group = ZarrGroup.open(home.resolve("result.zarr"));
        double[] u = group.array(group.arrays().getFirst()).readAll();
        return whole.block(whole.decompose(1), 0, Resources.SINGLE).residual(u, NONE);
    }

    private static Object plain(ParameterValue value) {
        return switch (value.getValueCase()) {
            case WHOLE -> value.getWhole();
            case REAL -> value.getReal();
            case FLAG -> value.getFlag();
            case TEXT, VALUE_NOT_SET -> value.getText();
        };
    }

    /** Halos of a block that has no neighbors. */
    private static final Halos NONE = new Halos() {
        @Override
        public int size() {
            return 0;
        }

        @Override
        public double[] values(int k) {
            throw new IndexOutOfBoundsException(k);
        }

        @Override
        public boolean fresh(int k) {
            throw new IndexOutOfBoundsException(k);
        }
    };
}
