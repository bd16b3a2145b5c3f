// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;

/**
 * Inputs in folders of this machine. A reference stays inside its folder: neither {@code ..} nor a symbolic link leads out.
 *
 * @param folders the folder of each input, by its name
 */
public record InputFolders(Map<String, Path> folders) implements Inputs {

    public InputFolders {
        folders = Map.copyOf(folders);
    }

    @Override
    public Path resolve(String reference) throws InvalidProblemException {
        int colon = reference.indexOf(':');
        if (colon < 1) {
            throw new InvalidProblemException(
                    reference,
                    "names no input",
                    "write it as NAME:FILE, where spec.inputs has {name: NAME, path: FOLDER}");
        }
        String name = reference.substring(0, colon);
        String file = reference.substring(colon + 1);
        Path folder = folders.get(name);
        if (folder == null) {
            throw new InvalidProblemException(
                    reference,
                    "refers to input \"" + name + "\", which is not declared",
                    folders.isEmpty()
                            ? "add it to spec.inputs"
                            : "add it to spec.inputs, or use one of "
                                    + String.join(", ", new TreeSet<>(folders.keySet())));
        }
        try {
            return inside(reference, folder, file);
        } catch (InvalidPathException noPath) {
            throw new InvalidProblemException(
                    reference, "is not a file name (" + noPath.getReason() + ")", "correct it");
        } catch (IOException unreadable) {
            throw new InvalidProblemException(
                    reference, "cannot be read (" + unreadable.getMessage() + ")", "check the folder " + folder);
        }
    }

    private static Path inside(String reference, Path folder, String file) throws InvalidProblemException, IOException {
        Path path = folder.resolve(file).normalize();
        if (file.isBlank() || !path.startsWith(folder.normalize())) {
            throw new InvalidProblemException(
                    reference, "leads out of its folder " + folder, "move the file into the folder and name it there");
        }
        if (!Files.isRegularFile(path)) {
            throw new InvalidProblemException(
                    reference,
                    Files.exists(path) ? "is not a file: " + path : "does not exist: there is no " + path,
                    "check the name, or the path of the input");
        }
        if (!path.toRealPath().startsWith(folder.toRealPath())) {
            throw new InvalidProblemException(
                    reference, "is a link that leads out of its folder " + folder, "copy the file into the folder");
        }
        if (!Files.isReadable(path)) {
            throw new InvalidProblemException(reference, "may not be read: " + path, "change its permissions");
        }
        return path;
    }
}
