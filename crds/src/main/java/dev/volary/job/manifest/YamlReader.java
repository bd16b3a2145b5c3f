// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.manifest;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads one YAML document into {@link Yaml}. The parser's tokens are taken directly, without data binding: positions
 * survive, and the command starts faster.
 */
final class YamlReader {
    private final YAMLParser parser;

    private YamlReader(YAMLParser parser) {
        this.parser = parser;
    }

    /**
     * @return the document, or nothing if there is only white space and comments
     * @throws YamlException if this is not one YAML document
     */
    static Optional<Yaml> read(String text) throws YamlException {
        try (YAMLParser parser = new YAMLFactory().createParser(text)) {
            YamlReader reader = new YamlReader(parser);
            if (parser.nextToken() == null) {
                return Optional.empty();
            }
            Yaml document = reader.node("");
            while (parser.nextToken() != null) {
                // "---" at the end of a file opens a document with nothing in it
                if (parser.currentToken() != JsonToken.VALUE_NULL) {
                    throw new YamlException(
                            reader.position(),
                            "is the start of a second document; keep one job in a file and remove the rest");
                }
            }
            return document instanceof Yaml.Empty ? Optional.empty() : Optional.of(document);
        } catch (JacksonException notYaml) {
            throw new YamlException(
                    position(notYaml.getLocation()), "is not YAML: " + firstLine(notYaml.getOriginalMessage()));
        } catch (IOException | RuntimeException refused) {
            // SnakeYAML's own limits (nesting, size) arrive as its unchecked exceptions
            throw new YamlException(
                    new Position(1, 1), "is not YAML: " + firstLine(String.valueOf(refused.getMessage())));
        }
    }

    private Yaml node(String path) throws IOException, YamlException {
        Position at = position();
        if (parser.isCurrentAlias() || parser.getObjectId() != null) {
            throw new YamlException(
                    at, "uses an anchor or alias (& or *), which is not supported; write the value out");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(at, path);
            case START_ARRAY -> sequence(at, path);
            case VALUE_NULL -> new Yaml.Empty(at);
            case VALUE_TRUE -> new Yaml.Scalar(at, true, "true");
            case VALUE_FALSE -> new Yaml.Scalar(at, false, "false");
            case VALUE_NUMBER_INT -> new Yaml.Scalar(at, parser.getNumberValue(), parser.getText());
            case VALUE_NUMBER_FLOAT -> new Yaml.Scalar(at, parser.getDoubleValue(), parser.getText());
            default -> new Yaml.Scalar(at, parser.getText(), parser.getText());
        };
    }

    private Yaml mapping(Position at, String path) throws IOException, YamlException {
        Map<String, Yaml.Entry> entries = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            Position keyAt = position();
            String key = parser.currentName();
            String field = path.isEmpty() ? key : path + "." + key;
            Yaml.Entry earlier = entries.get(key);
            if (earlier != null) {
                throw new YamlException(
                        keyAt, field + " is given twice, first at " + earlier.at() + "; remove one of them");
            }
            parser.nextToken();
            entries.put(key, new Yaml.Entry(keyAt, node(field)));
        }
        return new Yaml.Mapping(at, entries);
    }

    private Yaml sequence(Position at, String path) throws IOException, YamlException {
        List<Yaml> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node(path + "[" + items.size() + "]"));
        }
        return new Yaml.Sequence(at, items);
    }

    private Position position() {
        return position(parser.currentTokenLocation());
    }

    private static Position position(JsonLocation location) {
        return location == null
                ? new Position(1, 1)
                : new Position(Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("it cannot be parsed");
    }

    /** Not one readable document. */
    static final class YamlException extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Position at;
        private final String error;

        YamlException(Position at, String message) {
            super(message);
            this.at = at;
            this.error = message;
        }

        String error() {
            return error;
        }

        Position at() {
            return at;
        }
    }
}
