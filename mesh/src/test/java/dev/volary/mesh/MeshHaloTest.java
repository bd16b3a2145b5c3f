package dev.volary.mesh;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MeshHaloTest {

    @Test
    void the_newest_values_reach_the_other_side() throws Exception {
        try (TestJob job = new TestJob()) {
            Heard heard = new Heard();
            Mesh one = job.daemon(1, heard);
            Mesh two = job.daemon(2, heard);
            one.know(two.self());
            OutgoingLink out = one.outgoing(0, 1, 1000);
            NewestLink in = two.incoming(0, 1, 1000);
            out.route(two.self().id());
            double[] expected = new double[1000];
            for (int k = 1; k <= 100; k++) {
                double[] buffer = out.begin();
                for (int i = 0; i < 1000; i++) {
                    buffer[i] = expected[i] = k + i / 1000.0;
                }
                out.publish(TestJob.FIRST, 0, k, 0, false);
            }
            await().until(() -> in.take() && in.iteration() == 100);
            assertArrayEquals(expected, in.values());
            assertEquals(TestJob.FIRST, in.incarnation());
        }
    }
}
