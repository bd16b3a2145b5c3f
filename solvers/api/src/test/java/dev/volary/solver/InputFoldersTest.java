// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** References find files in their folder, and nothing else. */
class InputFoldersTest {
    @TempDir
    Path folder;

    private InputFolders inputs = new InputFolders(Map.of());

    @BeforeEach
    void makeFolders() throws IOException {
        Files.createDirectories(folder.resolve("data/sub"));
        Files.writeString(folder.resolve("data/sub/a.mtx"), "a");
        Files.writeString(folder.resolve("secret"), "s");
        Files.createSymbolicLink(folder.resolve("data/link"), folder.resolve("secret"));
        inputs = new InputFolders(Map.of("in", folder.resolve("data")));
    }

    @Test
    void findsAFileInASubfolder() throws InvalidProblemException {
        assertEquals(folder.resolve("data/sub/a.mtx"), inputs.resolve("in:sub/a.mtx"));
    }

    @Test
    void refusesToLeaveTheFolder() {
        String outside = " leads out of its folder " + folder.resolve("data")
                + "; move the file into the folder and name it there";
        assertEquals("in:../secret" + outside, refusal("in:../secret"));
        assertEquals("in:sub/../../secret" + outside, refusal("in:sub/../../secret"));
        assertEquals("in:" + folder.resolve("secret") + outside, refusal("in:" + folder.resolve("secret")));
    }

    @Test
    void refusesALinkThatLeavesTheFolder() {
        assertEquals(
                "in:link is a link that leads out of its folder " + folder.resolve("data")
                        + "; copy the file into the folder",
                refusal("in:link"));
    }

    @Test
    void saysWhatIsNotThere() {
        assertEquals(
                "in:b.mtx does not exist: there is no " + folder.resolve("data/b.mtx")
                        + "; check the name, or the path of the input",
                refusal("in:b.mtx"));
        assertEquals(
                "in:sub is not a file: " + folder.resolve("data/sub") + "; check the name, or the path of the input",
                refusal("in:sub"));
        assertEquals(
                "other:a refers to input \"other\", which is not declared; add it to spec.inputs, or use one of in",
                refusal("other:a"));
        assertEquals(
                "a.mtx names no input; write it as NAME:FILE, where spec.inputs has {name: NAME, path: FOLDER}",
                refusal("a.mtx"));
    }

    private String refusal(String reference) {
        return String.valueOf(assertThrows(InvalidProblemException.class, () -> inputs.resolve(reference))
                .getMessage());
    }
}
