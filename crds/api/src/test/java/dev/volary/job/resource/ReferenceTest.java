// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The page for users: {@code docs/reference/iterativejob.md}. */
class ReferenceTest {
    @Test
    void theKeptPageIsTheGeneratedOne() throws IOException {
        Kept.check("docs/reference/iterativejob.md", Reference.markdown());
    }
}
