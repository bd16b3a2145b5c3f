// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.manifest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What counts as a slip of the keys. */
class NearestNameTest {
    private static final List<String> KNOWN = List.of("tolerance", "norm", "detector", "acceptRisk");

    @Test
    void findsTheNameMeantBehindSwappedMissingAndWrongLetters() {
        assertEquals(Optional.of("tolerance"), NearestName.of("tolernace", KNOWN));
        assertEquals(Optional.of("tolerance"), NearestName.of("tolerence", KNOWN));
        assertEquals(Optional.of("norm"), NearestName.of("nrm", KNOWN));
        assertEquals(Optional.of("acceptRisk"), NearestName.of("acceptrisk", KNOWN));
    }

    @Test
    void suggestsNothingForAnUnrelatedName() {
        assertEquals(Optional.empty(), NearestName.of("walltime", KNOWN));
    }

    @Test
    void countsASwapOfNeighborsAsOneEdit() {
        assertEquals(1, NearestName.distance("ab", "ba"));
        assertEquals(3, NearestName.distance("kitten", "sitting")); // Levenshtein's example
    }
}
