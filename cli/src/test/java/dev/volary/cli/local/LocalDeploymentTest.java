// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.job.description.JobDescriptionFactory;
import dev.volary.job.manifest.Manifest;
import dev.volary.job.manifest.ManifestException;
import dev.volary.job.spec.JobSpec;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Eleven daemons, two standbys and two spawners are 15 workers. */
class LocalDeploymentTest {
    @ParameterizedTest(name = "{0} on {1} processors")
    @CsvSource(delimiter = '|', textBlock = """
            {}                        | 2  | 3750
            {}                        | 1  | 7500
            {}                        | 4  | 2000
            {}                        | 64 | 2000
            {timeout: 1s}             | 2  | 1000
            {strategy: RandomMonitors}| 2  | 9375
            """)
    void workersThatCrowdAMachineMayBeSilentForLonger(String given, int processors, long millis) throws Exception {
        JobSpec spec = spec(given);
        assertEquals(
                Duration.ofMillis(millis),
                Duration.ofMillis(JobDescriptionFactory.failureDetection(
                                spec.failureDetection(), LocalDeployment.slowness(spec, processors))
                        .getTimeoutMillis()));
    }

    private static JobSpec spec(String failureDetection) throws ManifestException {
        String text = """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: crowd}
                spec:
                  problem: {type: test-chain}
                  daemons: {replicas: 11, standbys: 2}
                  spawners: {replicas: 2}
                  failureDetection: %s
                """.formatted(failureDetection);
        return Manifest.parse(Path.of("crowd.yaml"), text).spec();
    }
}
