package dev.volary.crd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A manifest that was read from a file, with the place of every field, so that checks made later can point at it.
 *
 * @param file as the user named it
 * @param text the file, verbatim
 * @param job what it says, defaults filled in
 * @param positions where each field's value stands, by its full path
 */
public record ManifestFile(Path file, String text, IterativeJob job, Map<String, Position> positions) {
    private static final long MAX_BYTES = 1 << 20;

    public ManifestFile {
        positions = Map.copyOf(positions);
    }

    /**
     * Reads and checks a manifest.
     *
     * @throws ManifestException with every fault that can be seen without knowing the problem
     */
    public static ManifestFile read(Path file) throws ManifestException {
        return parse(file, text(file));
    }

    /**
     * Reads and checks a manifest that came by another way.
     *
     * @param file what faults are to name as its origin
     * @throws ManifestException as {@link #read}
     */
    public static ManifestFile parse(Path file, String text) throws ManifestException {
        Optional<Yaml> document;
        try {
            document = YamlReader.read(text);
        } catch (YamlReader.YamlFault notADocument) {
            throw fault(file, Optional.of(notADocument.at()), notADocument.fault());
        }
        if (document.isEmpty()) {
            throw fault(file, Optional.empty(), "is empty; start from one of the manifests in examples/");
        }
        if (!(document.get() instanceof Yaml.Mapping root)) {
            throw fault(
                    file,
                    Optional.of(document.get().at()),
                    "is " + document.get().kind() + ", not a manifest; start it with apiVersion: "
                            + IterativeJob.API_VERSION);
        }
        Faults faults = new Faults(file);
        IterativeJob job = Fields.read("", root, faults, IterativeJob::read);
        faults.throwIfAny();
        Map<String, Position> positions = new HashMap<>();
        locate("", root, positions);
        return new ManifestFile(file, text, job, positions);
    }

    /** A fault of a field of this manifest, at the field's place or its nearest enclosing field's. */
    public Fault fault(String path, String message) {
        return new Fault(file, position(path), path + " " + message);
    }

    /** Where a field stands, or the nearest field around it. */
    public Optional<Position> position(String path) {
        String field = path;
        while (!positions.containsKey(field)) {
            int end = Math.max(field.lastIndexOf('.'), field.lastIndexOf('['));
            if (end < 0) {
                return Optional.empty();
            }
            field = field.substring(0, end);
        }
        return Optional.ofNullable(positions.get(field));
    }

    private static String text(Path file) throws ManifestException {
        if (Files.isDirectory(file)) {
            throw fault(file, Optional.empty(), "is a folder; name the manifest in it");
        }
        if (!Files.exists(file)) {
            throw fault(file, Optional.empty(), "does not exist; check the path");
        }
        try {
            long size = Files.size(file);
            if (size > MAX_BYTES) {
                throw fault(
                        file,
                        Optional.empty(),
                        "has " + size + " bytes, more than a manifest's " + MAX_BYTES + "; is it the right file?");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw fault(file, Optional.empty(), "is not UTF-8 text; is it the right file?");
        } catch (IOException unreadable) {
            throw fault(
                    file, Optional.empty(), "cannot be read (" + unreadable.getMessage() + "); check its permissions");
        }
    }

    private static ManifestException fault(Path file, Optional<Position> at, String message) {
        return new ManifestException(List.of(new Fault(file, at, message)));
    }

    private static void locate(String path, Yaml node, Map<String, Position> positions) {
        switch (node) {
            case Yaml.Mapping mapping ->
                mapping.entries().forEach((name, entry) -> {
                    String field = path.isEmpty() ? name : path + "." + name;
                    positions.put(field, entry.value().at());
                    locate(field, entry.value(), positions);
                });
            case Yaml.Sequence sequence -> {
                for (int i = 0; i < sequence.items().size(); i++) {
                    String field = path + "[" + i + "]";
                    positions.put(field, sequence.items().get(i).at());
                    locate(field, sequence.items().get(i), positions);
                }
            }
            case Yaml.Scalar ignored -> {}
            case Yaml.Empty ignored -> {}
        }
    }
}
