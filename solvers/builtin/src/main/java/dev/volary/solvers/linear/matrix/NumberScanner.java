// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.matrix;

import dev.volary.solver.InvalidProblemException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads lines of numbers from a text file, gzipped or not, as a stream. It knows the line it is on, so that every fault is
 * reported with the file and the line. Gzip is recognized by its magic number, not by the name of the file.
 */
public final class NumberScanner implements Closeable {
    private static final int BUFFER = 1 << 16;
    private static final int LONGEST_TOKEN = 400;

    private final Path file;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;
    private long line = 1;
    private final byte[] token = new byte[LONGEST_TOKEN];
    private int tokenLength;

    private NumberScanner(Path file, InputStream in) {
        this.file = file;
        this.in = in;
    }

    public static NumberScanner open(Path file) throws InvalidProblemException {
        if (Files.isDirectory(file)) {
            throw new InvalidProblemException(file.toString(), "is a folder", "name a file in it");
        }
        try {
            InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER);
            try {
                return new NumberScanner(file, isGzip(raw) ? new GZIPInputStream(raw, BUFFER) : raw);
            } catch (IOException | RuntimeException e) {
                raw.close();
                throw e;
            }
        } catch (NoSuchFileException e) {
            throw new InvalidProblemException(file.toString(), "does not exist", "check the path and spec.inputs");
        } catch (IOException e) {
            throw unreadable(file, 1, e);
        }
    }

    private static boolean isGzip(InputStream in) throws IOException {
        in.mark(2);
        boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return gzip;
    }

    /** The line the next character stands on, 1-based. */
    public long line() {
        return line;
    }

    /** Whether the file has ended. */
    boolean atEnd() throws InvalidProblemException {
        return peek() < 0;
    }

    /** The first character of the line, or a negative number at the end of the file. */
    public int peek() throws InvalidProblemException {
        if (position == limit) {
            fill();
        }
        return position == limit ? -1 : buffer[position] & 0xff;
    }

    /** The rest of the line, without its end. */
    String restOfLine() throws InvalidProblemException {
        StringBuilder text = new StringBuilder();
        for (int c = peek(); c >= 0 && c != '\n'; c = peek()) {
            if (text.length() < LONGEST_TOKEN) {
                text.append((char) c);
            }
            position++;
        }
        endLine();
        return text.toString().strip();
    }

    /** Skips empty lines and comments, and the blanks before the next number. Returns false at the end of the file. */
    public boolean skipToNumbers() throws InvalidProblemException {
        while (true) {
            skipBlanks();
            int c = peek();
            if (c < 0) {
                return false;
            } else if (c == '\n') {
                endLine();
            } else if (c == '%' || c == '#') {
                restOfLine();
            } else {
                return true;
            }
        }
    }

    /** Reads a whole number of at most 18 digits. */
    public long nextWhole(String what) throws InvalidProblemException {
        readToken(what);
        int i = token[0] == '-' || token[0] == '+' ? 1 : 0;
        long value = 0;
        boolean valid = tokenLength > i && tokenLength - i <= 18;
        for (; valid && i < tokenLength; i++) {
            int digit = token[i] - '0';
            valid = digit >= 0 && digit <= 9;
            value = 10 * value + digit;
        }
        if (!valid) {
            throw fault(what + " is '" + tokenText() + "'", "it must be a whole number");
        }
        return token[0] == '-' ? -value : value;
    }

    /** Reads a finite number, correctly rounded. */
    public double nextReal(String what) throws InvalidProblemException {
        readToken(what);
        double value;
        try {
            value = DecimalParser.parse(token, tokenLength);
        } catch (NumberFormatException e) {
            throw fault("'" + tokenText() + "' is not a number", "write it as in 1.5e-3");
        }
        if (!Double.isFinite(value)) {
            throw fault(what + " is " + tokenText(), "every number must be finite");
        }
        return value;
    }

    /** Requires that the line has nothing more than what was read. */
    public void expectEndOfLine(String what) throws InvalidProblemException {
        skipBlanks();
        int c = peek();
        if (c >= 0 && c != '\n') {
            long faultyLine = line;
            throw faultAt(
                    faultyLine,
                    "has '" + excerpt(restOfLine()) + "' after " + what,
                    "remove it, or correct the header");
        }
        endLine();
    }

    /** A fault on the current line. */
    public InvalidProblemException fault(String fault, String remedy) {
        return faultAt(line, fault, remedy);
    }

    public InvalidProblemException faultAt(long faultyLine, String fault, String remedy) {
        return new InvalidProblemException(file + " line " + faultyLine + ":", fault, remedy);
    }

    private static String excerpt(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }

    private void readToken(String what) throws InvalidProblemException {
        skipBlanks();
        tokenLength = 0;
        for (int c = peek(); c > ' '; c = peek()) {
            if (tokenLength == LONGEST_TOKEN) {
                throw fault(what + " has more than " + LONGEST_TOKEN + " characters", "write a number");
            }
            token[tokenLength++] = (byte) c;
            position++;
        }
        if (tokenLength == 0) {
            throw fault(what + " is missing", "the line, or the file, was cut off: get it again");
        }
    }

    private String tokenText() {
        return excerpt(new String(token, 0, tokenLength, StandardCharsets.UTF_8));
    }

    private void skipBlanks() throws InvalidProblemException {
        for (int c = peek(); c == ' ' || c == '\t' || c == '\r'; c = peek()) {
            position++;
        }
    }

    private void endLine() throws InvalidProblemException {
        if (peek() == '\n') {
            position++;
            line++;
        }
    }

    private void fill() throws InvalidProblemException {
        try {
            int read = in.read(buffer);
            position = 0;
            limit = Math.max(read, 0);
        } catch (IOException e) {
            throw unreadable(file, line, e);
        }
    }

    private static InvalidProblemException unreadable(Path file, long line, IOException e) {
        String subject = file + " line " + line + ":";
        return switch (e) {
            case EOFException cut ->
                new InvalidProblemException(subject, "the gzip stream ends early", "get the file again");
            case ZipException broken ->
                new InvalidProblemException(
                        subject, "the gzip stream is damaged: " + broken.getMessage(), "get the file again");
            default -> new InvalidProblemException(subject, "cannot be read: " + e, "check its permissions");
        };
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            // Everything needed was read; a stream that was only read loses nothing.
        }
    }
}
