package dev.volary.crd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What counts as a slip of the keys. */
class SpellingTest {
    private static final List<String> KNOWN = List.of("tolerance", "norm", "detector", "acceptRisk");

    @Test
    void findsTheNameMeantBehindSwappedMissingAndWrongLetters() {
        assertEquals(Optional.of("tolerance"), Spelling.nearest("tolernace", KNOWN));
        assertEquals(Optional.of("tolerance"), Spelling.nearest("tolerence", KNOWN));
        assertEquals(Optional.of("norm"), Spelling.nearest("nrm", KNOWN));
        assertEquals(Optional.of("acceptRisk"), Spelling.nearest("acceptrisk", KNOWN));
    }

    @Test
    void suggestsNothingForAnotherWord() {
        assertEquals(Optional.empty(), Spelling.nearest("walltime", KNOWN));
    }

    @Test
    void countsASwapOfNeighboursAsOneEdit() {
        assertEquals(1, Spelling.distance("ab", "ba"));
        assertEquals(3, Spelling.distance("kitten", "sitting")); // Levenshtein's example
    }
}
