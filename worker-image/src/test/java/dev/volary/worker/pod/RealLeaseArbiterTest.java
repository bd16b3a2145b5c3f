package dev.volary.worker.pod;

import dev.volary.mesh.arbiter.ApiServer;
import dev.volary.mesh.arbiter.Arbiter;
import dev.volary.mesh.arbiter.LeaseArbiter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

/**
 * The arbiter of jobs on a cluster, against a real API server: {@code VOLARY_TEST_API} is its address, {@code
 * VOLARY_TEST_ACCOUNT} a folder with {@code token} and {@code ca.crt}, and the Leases {@code default/contract-1} to {@code
 * contract-5} are there and empty.
 */
class RealLeaseArbiterTest extends ArbiterContract {
    private static final AtomicInteger NEXT = new AtomicInteger(1);

    private final String lease = "default/contract-" + NEXT.getAndIncrement();

    @BeforeEach
    void needsAnApiServer() {
        Assumptions.assumeTrue(
                System.getenv("VOLARY_TEST_API") != null, "VOLARY_TEST_API names no API server to test with");
    }

    @Override
    Arbiter client() {
        String account = System.getenv("VOLARY_TEST_ACCOUNT");
        return new LeaseArbiter(
                new ApiServer(
                        URI.create(System.getenv("VOLARY_TEST_API")),
                        Path.of(account, "token"),
                        Path.of(account, "ca.crt")),
                lease,
                Clock.systemUTC());
    }
}
