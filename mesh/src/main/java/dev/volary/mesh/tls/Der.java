// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The few forms of DER (ITU-T X.690) that a certificate is made of. */
final class Der {
    private static final int BOOLEAN = 0x01;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int CONTEXT = 0x80;
    private static final int CONSTRUCTED = 0x20;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private static final Instant LONG_YEARS = Instant.parse("2050-01-01T00:00:00Z");

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return tagged(SEQUENCE, parts);
    }

    static byte[] set(byte[]... parts) {
        return tagged(SET, parts);
    }

    static byte[] integer(BigInteger value) {
        return tagged(INTEGER, value.toByteArray());
    }

    static byte[] yes() {
        return tagged(BOOLEAN, new byte[] {(byte) 0xff});
    }

    static byte[] utf8(String text) {
        return tagged(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Two digits of the year up to 2049, four from then on (RFC 5280 §4.1.2.5). */
    static byte[] time(Instant instant) {
        String text = TIME.format(instant);
        return instant.isBefore(LONG_YEARS)
                ? tagged(UTC_TIME, text.substring(2).getBytes(StandardCharsets.US_ASCII))
                : tagged(GENERALIZED_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] octets(byte[] value) {
        return tagged(OCTET_STRING, value);
    }

    static byte[] bits(int unused, byte[] value) {
        return tagged(BIT_STRING, new byte[] {(byte) unused}, value);
    }

    static byte[] oid(String dotted) {
        String[] arcs = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            long arc = Long.parseLong(arcs[i]);
            for (int shift = 63 / 7 * 7; shift > 0; shift -= 7) {
                if (arc >> shift != 0) {
                    out.write((int) (((arc >> shift) & 0x7f) | 0x80));
                }
            }
            out.write((int) (arc & 0x7f));
        }
        return tagged(OBJECT_IDENTIFIER, out.toByteArray());
    }

    /** [number] EXPLICIT. */
    static byte[] explicit(int number, byte[] value) {
        return tagged(CONTEXT | CONSTRUCTED | number, value);
    }

    /** [number] IMPLICIT, primitive. */
    static byte[] implicit(int number, byte[] content) {
        return tagged(CONTEXT | number, content);
    }

    private static byte[] tagged(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            byte[] size = BigInteger.valueOf(length).toByteArray();
            int skip = size[0] == 0 ? 1 : 0;
            out.write(0x80 | (size.length - skip));
            out.write(size, skip, size.length - skip);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
