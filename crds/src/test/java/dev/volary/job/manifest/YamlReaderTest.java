// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.manifest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;

/** Reading never fails in any other way than with its one fault. */
class YamlReaderTest {

    @Property(tries = 500, seed = "4711")
    void anyTextIsADocumentOrAFaultWithAPosition(@ForAll @StringLength(max = 60) String text) {
        try {
            assertNotNull(YamlReader.read(text));
        } catch (YamlReader.YamlException fault) {
            assertNotNull(fault.at());
            assertEquals(1, fault.error().lines().count());
        }
    }

    @Property(seed = "4711")
    void wholeNumbersKeepTheirValue(@ForAll int number) throws YamlReader.YamlException {
        Yaml document = YamlReader.read("a: " + number).orElseThrow();
        assertEquals(Map.of("a", number), document.plain());
    }
}
