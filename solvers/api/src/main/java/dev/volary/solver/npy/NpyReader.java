// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.npy;

import dev.volary.solver.InvalidProblemException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the elements of one array in their order in the file, through a buffer of fixed size. Every error names the array, the
 * element, its value and the remedy.
 */
public final class NpyReader implements Closeable {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int BUFFER_BYTES = 1 << 16;
    /** NumPy itself refuses longer ones. */
    private static final int LONGEST_HEADER = 10_000;

    private static final Pattern TYPE = Pattern.compile("'descr':\\s*'([^']*)'");
    private static final Pattern ORDER = Pattern.compile("'fortran_order':\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape':\\s*\\(([0-9, ]*)\\)");

    private final InputStream in;
    private final String subject;
    private final NpyHeader header;
    private final long size;
    private final ByteBuffer buffer;
    private long read;

    private NpyReader(InputStream in, String subject) throws IOException, InvalidProblemException {
        this.in = in;
        this.subject = subject;
        this.header = readHeader();
        this.size = sizeOf(header);
        this.buffer = ByteBuffer.allocate(
                        BUFFER_BYTES - BUFFER_BYTES % Math.max(1, header.type().bytes()))
                .order(header.type().order())
                .limit(0);
    }

    /**
     * Opens an array.
     *
     * @param in at its begin; closed with this reader
     * @param subject what messages call the array, as {@code A.npz entry data.npy:}
     * @throws InvalidProblemException if it is no array, or cannot be read
     */
    public static NpyReader open(InputStream in, String subject) throws InvalidProblemException {
        try {
            return new NpyReader(in, subject);
        } catch (IOException e) {
            throw unreadable(subject, e);
        }
    }

    /**
     * Opens the array in a file.
     *
     * @throws InvalidProblemException if it is no array, or cannot be read
     */
    public static NpyReader open(Path file) throws InvalidProblemException {
        InputStream in;
        try {
            in = Files.newInputStream(file);
        } catch (IOException e) {
            throw unreadable(file + ":", e);
        }
        try {
            return open(in, file + ":");
        } catch (InvalidProblemException | RuntimeException e) {
            try {
                in.close();
            } catch (IOException stays) {
                e.addSuppressed(stays);
            }
            throw e;
        }
    }

    /** Whether a file begins as an array does; false if it cannot be read. */
    public static boolean isArray(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(MAGIC, in.readNBytes(MAGIC.length));
        } catch (IOException e) {
            return false;
        }
    }

    /** Type and shape. */
    public NpyHeader header() {
        return header;
    }

    /** Number of elements. */
    public long size() {
        return size;
    }

    /**
     * The next element, as a double.
     *
     * @throws InvalidProblemException if it is not finite, or the file has ended
     */
    public double nextReal() throws InvalidProblemException {
        double value = header.type().real(buffer, next());
        if (!Double.isFinite(value)) {
            throw fault("element " + (read - 1) + " is " + value, "every number must be finite");
        }
        return value;
    }

    /**
     * The next element, a whole number.
     *
     * @throws InvalidProblemException if it is below {@code least} or above {@code most}, or the file has ended
     */
    public int nextIndex(int least, int most) throws InvalidProblemException {
        long value = header.type().whole(buffer, next());
        if (value < least || value > most) {
            throw fault("element " + (read - 1) + " is " + value, "it must be from " + least + " to " + most);
        }
        return (int) value;
    }

    /** The only element, a text. */
    public String text() throws InvalidProblemException {
        int at = next();
        return new String(buffer.array(), at, header.type().bytes(), StandardCharsets.ISO_8859_1).replace("\0", "");
    }

    /** Requires that the file ends after the last element. */
    public void expectEnd() throws InvalidProblemException {
        try {
            if (in.read() >= 0) {
                throw fault("there is more after the " + size + " elements of its shape", "write the file again");
            }
        } catch (IOException e) {
            throw unreadable(subject, e);
        }
    }

    /** An error of this array. */
    public InvalidProblemException fault(String fault, String remedy) {
        return new InvalidProblemException(subject, fault, remedy);
    }

    /** The position of the next element in the buffer. */
    private int next() throws InvalidProblemException {
        int bytes = header.type().bytes();
        if (buffer.remaining() < bytes) {
            fill(bytes);
        }
        int at = buffer.position();
        buffer.position(at + bytes);
        read++;
        return at;
    }

    private void fill(int bytes) throws InvalidProblemException {
        if (read >= size) {
            throw new IllegalStateException(subject + " has only " + size + " elements");
        }
        try {
            long wanted = Math.min(buffer.capacity(), (size - read) * bytes);
            int got = in.readNBytes(buffer.array(), 0, (int) wanted);
            if (got < bytes) {
                throw fault(
                        "the data ends after " + read + " of " + size + " elements", "it was cut off: get it again");
            }
            buffer.position(0).limit(got - got % bytes);
        } catch (IOException e) {
            throw unreadable(subject, e);
        }
    }

    private NpyHeader readHeader() throws IOException, InvalidProblemException {
        byte[] start = in.readNBytes(MAGIC.length + 2);
        if (start.length < MAGIC.length + 2 || !Arrays.equals(MAGIC, 0, MAGIC.length, start, 0, MAGIC.length)) {
            throw fault("is not a NumPy array", "write it with numpy.save");
        }
        int version = start[MAGIC.length];
        int lengthBytes = version == 1 ? 2 : 4;
        byte[] field = in.readNBytes(lengthBytes);
        if (version < 1 || version > 3 || field.length < lengthBytes) {
            throw fault("has version " + version + " of the NumPy format", "write it with numpy.save of NumPy 1 or 2");
        }
        long length = 0;
        for (int i = lengthBytes - 1; i >= 0; i--) {
            length = 256 * length + (field[i] & 0xff);
        }
        if (length > LONGEST_HEADER) {
            throw fault("has a header of " + length + " bytes", "write a plain array with numpy.save");
        }
        byte[] text = in.readNBytes((int) length);
        if (text.length < length) {
            throw fault("the header ends early", "it was cut off: get it again");
        }
        return parse(new String(text, StandardCharsets.ISO_8859_1), start.length + lengthBytes + text.length);
    }

    private NpyHeader parse(String text, int bytes) throws InvalidProblemException {
        Matcher type = TYPE.matcher(text);
        Matcher order = ORDER.matcher(text);
        Matcher shape = SHAPE.matcher(text);
        if (!type.find() || !order.find() || !shape.find()) {
            throw fault("has the header " + text.strip(), "write an array of numbers with numpy.save");
        }
        List<Long> extents = new ArrayList<>();
        for (String extent : shape.group(1).split(",", -1)) {
            if (!extent.isBlank()) {
                extents.add(extent(extent.strip()));
            }
        }
        return new NpyHeader(NpyType.of(type.group(1)), extents, order.group(1).equals("True"), bytes);
    }

    private long extent(String text) throws InvalidProblemException {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw fault("has the extent " + text, "write the array again");
        }
    }

    private long sizeOf(NpyHeader of) throws InvalidProblemException {
        try {
            return Math.multiplyExact(of.size(), Math.max(1, of.type().bytes()))
                    / Math.max(1, of.type().bytes());
        } catch (ArithmeticException e) {
            throw fault("is " + of.shapeText(), "that is more than a file can hold; write the array again");
        }
    }

    private static InvalidProblemException unreadable(String subject, IOException e) {
        return e instanceof EOFException
                ? new InvalidProblemException(subject, "the data ends early", "it was cut off: get it again")
                : new InvalidProblemException(subject, "cannot be read: " + e.getMessage(), "get the file again");
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
