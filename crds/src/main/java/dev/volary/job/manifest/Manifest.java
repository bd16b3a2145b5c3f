// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.manifest;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.volary.job.spec.JobSpec;
import dev.volary.job.validation.JobValidator;
import dev.volary.job.validation.SpecError;
import io.fabric8.generator.annotation.Required;
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
import org.jspecify.annotations.Nullable;

/**
 * A manifest that was read from a file, with the place of every field, so that checks made later can point at it.
 *
 * @param file as the user named it
 * @param text the file, verbatim
 * @param metadata which job it is
 * @param spec what it says, defaults filled in
 * @param values each field that is given, by its full path
 */
public record Manifest(Path file, String text, Metadata metadata, JobSpec spec, Map<String, Value> values) {
    public static final String GROUP = "volary.dev";
    public static final String VERSION = "v1alpha1";
    public static final String API_VERSION = GROUP + "/" + VERSION;
    public static final String KIND = "IterativeJob";

    private static final long MAX_BYTES = 1 << 20;

    public Manifest {
        values = Map.copyOf(values);
    }

    /**
     * A field that is given.
     *
     * @param position where its value stands
     * @param plain the value: a map, list, string, number or boolean
     */
    public record Value(Position position, Object plain) {}

    /** The whole file, as the binder reads it. */
    record Document(
            @Required @JsonPropertyDescription(API_VERSION) @Nullable String apiVersion,

            @Required @JsonPropertyDescription(KIND) @Nullable String kind,

            @Required Metadata metadata,
            @Required JobSpec spec) {}

    /**
     * Reads and checks a manifest.
     *
     * @throws ManifestException with every error that can be seen without knowing the problem
     */
    public static Manifest read(Path file) throws ManifestException {
        return parse(file, text(file));
    }

    /**
     * Reads and checks a manifest that came by another way.
     *
     * @param file what errors are to name as its origin
     * @throws ManifestException as {@link #read}
     */
    public static Manifest parse(Path file, String text) throws ManifestException {
        Yaml.Mapping root = root(file, text);
        ManifestErrors errors = new ManifestErrors();
        Document document = new ManifestBinder(errors).bind("", root, Document.class);
        Map<String, Value> values = new HashMap<>();
        collect("", root, values);
        Manifest manifest = new Manifest(file, text, document.metadata(), document.spec(), values);
        manifest.checkConstant("apiVersion", document.apiVersion(), API_VERSION, errors);
        manifest.checkConstant("kind", document.kind(), KIND, errors);
        for (SpecError error : JobValidator.errors(manifest.name(), manifest.spec())) {
            errors.add(manifest.position(error.path()).orElse(root.at()), error.message());
        }
        errors.throwIfAny(file);
        return manifest;
    }

    /** The job's name. */
    public String name() {
        return metadata.name();
    }

    /** Whether the file itself gives a field, as {@code spec.checkpoint.copies}. */
    public boolean gives(String path) {
        return values.containsKey(path);
    }

    /** What the file gives for a field: a map, list, string, number or boolean. */
    public Optional<Object> given(String path) {
        return Optional.ofNullable(values.get(path)).map(Value::plain);
    }

    /** An error of a field of this manifest, at the field's place or its nearest enclosing field's. */
    public ManifestError error(String path, String message) {
        return new ManifestError(file, position(path), path + " " + message);
    }

    /** Where a field stands, or the nearest field around it. */
    public Optional<Position> position(String path) {
        String field = path;
        while (!values.containsKey(field)) {
            int end = Math.max(field.lastIndexOf('.'), field.lastIndexOf('['));
            if (end < 0) {
                return Optional.empty();
            }
            field = field.substring(0, end);
        }
        return Optional.ofNullable(values.get(field)).map(Value::position);
    }

    private void checkConstant(String field, @Nullable String given, String only, ManifestErrors errors) {
        if (given != null && !given.equals(only)) {
            errors.add(
                    position(field).orElseThrow(),
                    field + " is \"" + given + "\", which this version does not know; write " + only);
        }
    }

    private static Yaml.Mapping root(Path file, String text) throws ManifestException {
        Optional<Yaml> document;
        try {
            document = YamlReader.read(text);
        } catch (YamlReader.YamlException notADocument) {
            throw refusal(file, Optional.of(notADocument.at()), notADocument.error());
        }
        if (document.isEmpty()) {
            throw refusal(file, Optional.empty(), "is empty; start from one of the manifests in examples/");
        }
        if (!(document.get() instanceof Yaml.Mapping root)) {
            throw refusal(
                    file,
                    Optional.of(document.get().at()),
                    "is " + document.get().kind() + ", not a manifest; start it with apiVersion: " + API_VERSION);
        }
        return root;
    }

    private static String text(Path file) throws ManifestException {
        if (Files.isDirectory(file)) {
            throw refusal(file, Optional.empty(), "is a folder; name the manifest in it");
        }
        if (!Files.exists(file)) {
            throw refusal(file, Optional.empty(), "does not exist; check the path");
        }
        try {
            long size = Files.size(file);
            if (size > MAX_BYTES) {
                throw refusal(
                        file,
                        Optional.empty(),
                        "has " + size + " bytes, more than a manifest's " + MAX_BYTES + "; is it the right file?");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw refusal(file, Optional.empty(), "is not UTF-8 text; is it the right file?");
        } catch (IOException unreadable) {
            throw refusal(
                    file, Optional.empty(), "cannot be read (" + unreadable.getMessage() + "); check its permissions");
        }
    }

    private static ManifestException refusal(Path file, Optional<Position> at, String message) {
        return new ManifestException(List.of(new ManifestError(file, at, message)));
    }

    private static void collect(String path, Yaml node, Map<String, Value> values) {
        if (!path.isEmpty()) {
            values.put(path, new Value(node.at(), node.plain()));
        }
        switch (node) {
            case Yaml.Mapping mapping ->
                mapping.entries()
                        .forEach((name, entry) ->
                                collect(path.isEmpty() ? name : path + "." + name, entry.value(), values));
            case Yaml.Sequence sequence -> {
                for (int i = 0; i < sequence.items().size(); i++) {
                    collect(path + "[" + i + "]", sequence.items().get(i), values);
                }
            }
            case Yaml.Scalar ignored -> {}
            case Yaml.Empty ignored -> {}
        }
    }
}
