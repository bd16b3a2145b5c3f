// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Metadata survives writing and reading. */
class JsonTest {

    @Test
    void readsBackWhatItWrote() throws IOException {
        Map<String, Object> tree = Map.of(
                "text",
                "a \"quoted\"\\ line\nand \t\u0001 über ∞",
                "whole",
                -12L,
                "real",
                1.5e-300,
                "flag",
                false,
                "list",
                List.of(1L, "two", List.of(), Map.of()));
        assertEquals(tree, Json.parse(Json.write(tree), "test"));
    }

    @Test
    void writesWhatJsonHasNoNumberForAsText() throws IOException {
        assertEquals(Map.of("r", "NaN"), Json.parse(Json.write(Map.of("r", Double.NaN)), "test"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "[", "{", "{\"a\"", "{\"a\": ", "{\"a\": tru}", "{\"a\": 1} x", "{\"a\": \"\\x\"}", "{a: 1}"
            })
    void namesTheFileThatIsMalformed(String text) {
        String message = String.valueOf(assertThrows(IOException.class, () -> Json.parse(text, "u/zarr.json"))
                .getMessage());
        assertEquals("u/zarr.json is malformed JSON at character", message.replaceAll(" \\d+; .*", ""));
    }
}
