package dev.volary.e2e;

import com.google.gson.JsonObject;
import dev.volary.mesh.job.Dialer;
import dev.volary.mesh.job.JobFile;
import dev.volary.mesh.job.SpawnerClient;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.protocol.Address;
import dev.volary.solver.Halos;
import dev.volary.solver.InputFolders;
import dev.volary.solver.Model;
import dev.volary.solver.Problem;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import dev.volary.solver.Values;
import dev.volary.zarr.ZarrGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * A result brought home from the lead, and judged by the problem's own equations on one block that is the whole domain.
 *
 * @param certified residual that the job ended with, absolute
 * @param tolerance absolute
 * @param residual of the vector that was fetched
 */
record Fetched(double certified, double tolerance, Residual residual) {
    private static final int CONTROL = 7400;

    /** @param home a folder that the result is written to */
    static Fetched of(ClusterJob job, Path home) throws Exception {
        String namespace = job.namespace();
        JsonObject secret =
                Kubectl.json("-n", namespace, "get", "secret", job.name() + "-ca").getAsJsonObject("data");
        CertificateAuthority authority = CertificateAuthority.of(
                namespace, job.name(), decoded(secret, "ca.crt"), decoded(secret, "ca.key"));
        Process forward = Kubectl.start(
                "-n", namespace, "port-forward", "pod/" + job.status("leader"), ":" + CONTROL, "--address", "127.0.0.1");
        try (BufferedReader said = forward.inputReader();
                Dialer dialer = new Dialer("fetch");
                SpawnerClient lead = dialer.spawner(
                        new Address("127.0.0.1", port(said)), authority.issue("operator", "operator"))) {
            StatusReply status = lead.status(0);
            lead.fetch(home);
            return new Fetched(
                    status.getOutcome().getCertified().getResidual(), status.getTolerance(), residual(job, home));
        } finally {
            forward.destroy();
        }
    }

    /** Out of "Forwarding from 127.0.0.1:40123 -> 7400". */
    private static int port(BufferedReader said) throws IOException {
        String line = said.readLine();
        if (line == null || !line.contains(" ->")) {
            throw new IOException("kubectl port-forward said: " + line);
        }
        String address = line.substring(0, line.indexOf(" ->"));
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    private static Residual residual(ClusterJob job, Path home) throws Exception {
        JsonObject data = Kubectl.json("-n", job.namespace(), "get", "configmap", job.name() + "-job")
                .getAsJsonObject("data");
        JobDescription description = JobFile.read(data.get("job.json").getAsString());
        Map<String, Object> given = new HashMap<>();
        description.getParametersMap().forEach((name, value) -> given.put(name, plain(value)));
        Problem problem = ServiceLoader.load(Problem.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(p -> p.name().equals(description.getProblem()))
                .findFirst()
                .orElseThrow();
        Model whole = problem.open(Values.of(problem.parameters(), given), new InputFolders(Map.of()));
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

    private static String decoded(JsonObject data, String key) {
        return new String(Base64.getDecoder().decode(data.get(key).getAsString()), StandardCharsets.US_ASCII);
    }

    /** Halos of a block that has no neighbours. */
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
