// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

/**
 * A 64-bit content hash of doubles, by their bits: names exactly one recorded vector. Not cryptographic; four lanes of
 * multiply and rotate, finished as in MurmurHash3.
 */
final class ContentHash {
    private static final long K1 = 0x9E3779B185EBCA87L;
    private static final long K2 = 0xC2B2AE3D27D4EB4FL;

    private ContentHash() {}

    static long of(double[] values, int count) {
        long a = K1;
        long b = K2;
        long c = ~K1;
        long d = ~K2;
        int i = 0;
        for (; i + 4 <= count; i += 4) {
            a = round(a, values[i]);
            b = round(b, values[i + 1]);
            c = round(c, values[i + 2]);
            d = round(d, values[i + 3]);
        }
        for (; i < count; i++) {
            a = round(a, values[i]);
        }
        long hash = count * K1;
        for (long lane : new long[] {a, b, c, d}) {
            hash = finish((hash ^ lane) * K2);
        }
        return hash;
    }

    private static long round(long lane, double value) {
        return Long.rotateLeft((lane ^ Double.doubleToRawLongBits(value)) * K1, 31) * K2;
    }

    private static long finish(long hash) {
        long mixed = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }
}
