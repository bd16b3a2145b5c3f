// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arrays come back as they were written, damage is noticed, and the bytes are those that zarr-python reads. */
class ZarrArrayTest {
    private static final double[] COUNTING =
            IntStream.range(0, 15).mapToDouble(i -> i).toArray();

    @TempDir
    Path folder;

    @Test
    void readsBackWhatWasWrittenWithEdgeChunks() throws IOException {
        ZarrArray array = array(new int[] {3, 5}, new int[] {2, 2});
        array.writeAll(COUNTING);
        assertArrayEquals(COUNTING, ZarrArray.open(folder.resolve("u")).readAll());
        assertArrayEquals(new double[] {14}, array.readChunk(new int[] {1, 2}));
        assertArrayEquals(new double[] {6, 7, 11, 12}, array.read(new int[] {1, 1}, new int[] {3, 3}));
    }

    @Test
    void anEdgeChunkIsGivenWithoutItsPadding() throws IOException {
        ZarrArray array = array(new int[] {3, 5}, new int[] {2, 5});
        array.writeChunk(new int[] {0, 0}, Arrays.copyOfRange(COUNTING, 0, 10));
        array.writeChunk(new int[] {1, 0}, Arrays.copyOfRange(COUNTING, 10, 15));
        assertArrayEquals(COUNTING, array.readAll());
    }

    @Test
    void aChunkThatIsWrittenInPiecesHasTheSameBytes() throws IOException {
        int[][] shapes = {{3, 5}, {700, 511}, {7, 5, 6}, {9}};
        int[][] chunks = {{2, 2}, {512, 300}, {4, 2, 6}, {4}};
        for (int k = 0; k < shapes.length; k++) {
            ChunkGrid grid = ChunkGrid.of(shapes[k], chunks[k]);
            List<String> names = IntStream.range(0, shapes[k].length)
                    .mapToObj(a -> "axis" + a)
                    .toList();
            ZarrArray whole = ZarrArray.create(folder.resolve("whole" + k), grid, names, Map.of());
            ZarrArray pieces = ZarrArray.create(folder.resolve("pieces" + k), grid, names, Map.of());
            whole.writeAll(
                    IntStream.range(0, (int) grid.size()).mapToDouble(i -> i).toArray());
            for (long number = 0; number < grid.chunks(); number++) {
                int[] chunk = grid.coordinates(number);
                double[] values = whole.readChunk(chunk);
                ByteBuffer bytes =
                        ByteBuffer.allocate(values.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
                bytes.asDoubleBuffer().put(values);
                pieces.writeChunk(chunk, Channels.newChannel(new ByteArrayInputStream(bytes.array())));
                String file =
                        "c/" + Arrays.stream(chunk).mapToObj(Integer::toString).collect(Collectors.joining("/"));
                assertEquals(
                        -1,
                        Files.mismatch(
                                folder.resolve("whole" + k).resolve(file),
                                folder.resolve("pieces" + k).resolve(file)),
                        file);
            }
            pieces.check();
        }
    }

    @Test
    void aChunkWhosePiecesEndEarlyIsNotWritten() throws IOException {
        ZarrArray array = array(new int[] {4}, new int[] {4});
        assertThrows(
                IOException.class,
                () -> array.writeChunk(new int[] {0}, Channels.newChannel(new ByteArrayInputStream(new byte[24]))));
        assertThrows(IOException.class, array::check);
    }

    @Test
    void boxesThatCrossChunksKeepTheirNeighbors() throws IOException {
        ZarrArray array = array(new int[] {4, 3, 2}, new int[] {2, 2, 2});
        double[] all = IntStream.range(0, 24).mapToDouble(i -> i).toArray();
        array.write(new int[] {0, 0, 0}, new int[] {1, 3, 2}, Arrays.copyOfRange(all, 0, 6));
        array.write(new int[] {1, 0, 0}, new int[] {4, 3, 2}, Arrays.copyOfRange(all, 6, 24));
        assertArrayEquals(all, array.readAll());
    }

    @Test
    void aChunkThatWasNeverWrittenIsVisiblyMissing() throws IOException {
        ZarrArray array = array(new int[] {4}, new int[] {2});
        array.writeChunk(new int[] {1}, new double[] {1, 2});
        assertArrayEquals(new double[] {Double.NaN, Double.NaN, 1, 2}, array.readAll());
    }

    @Test
    void aFlippedBitIsNoticed() throws IOException {
        ZarrArray array = array(new int[] {4}, new int[] {4});
        array.writeAll(new double[] {1, 2, 3, 4});
        Path chunk = folder.resolve("u/c/0");
        byte[] bytes = Files.readAllBytes(chunk);
        bytes[9] ^= 1;
        Files.write(chunk, bytes);
        assertEquals(
                chunk + " does not match its checksum: it is damaged; write the array again",
                assertThrows(IOException.class, array::readAll).getMessage());
    }

    @Test
    void aTruncatedChunkIsNoticed() throws IOException {
        ZarrArray array = array(new int[] {4}, new int[] {4});
        array.writeAll(new double[] {1, 2, 3, 4});
        Path chunk = folder.resolve("u/c/0");
        Files.write(chunk, Arrays.copyOf(Files.readAllBytes(chunk), 20));
        assertEquals(
                chunk + " has 20 bytes, must have 36: it is damaged; write the array again",
                assertThrows(IOException.class, array::readAll).getMessage());
    }

    /** The chunks are, byte for byte, what zarr-python 3.1.6 writes for the same values, chunks and codecs. */
    @Test
    void writesTheBytesThatZarrPythonWrites() throws IOException {
        array(new int[] {3}, new int[] {2}).writeAll(new double[] {1, -2.5, 3});
        assertEquals(
                "000000000000f03f00000000000004c07d875afb",
                HexFormat.of().formatHex(Files.readAllBytes(folder.resolve("u/c/0"))));
        assertEquals(
                "0000000000000840000000000000f87f86cd6d23",
                HexFormat.of().formatHex(Files.readAllBytes(folder.resolve("u/c/1"))));
        assertEquals("""
                {
                  "zarr_format": 3,
                  "node_type": "array",
                  "shape": [3],
                  "data_type": "float64",
                  "chunk_grid": {
                    "name": "regular",
                    "configuration": {
                      "chunk_shape": [2]
                    }
                  },
                  "chunk_key_encoding": {
                    "name": "default",
                    "configuration": {
                      "separator": "/"
                    }
                  },
                  "fill_value": "NaN",
                  "codecs": [{
                      "name": "bytes",
                      "configuration": {
                        "endian": "little"
                      }
                    }, {
                      "name": "crc32c"
                    }],
                  "attributes": {
                    "unit": "K"
                  },
                  "dimension_names": ["x"]
                }
                """, Files.readString(folder.resolve("u/zarr.json")));
    }

    @Test
    void aGroupHasItsNameOnlyWhenItIsComplete() throws IOException {
        Path target = folder.resolve("result.zarr");
        ZarrGroup group = ZarrGroup.create(target);
        group.createArray("u", ChunkGrid.of(new int[] {2}, new int[] {1}), List.of("x"), Map.of())
                .writeAll(new double[] {7, 8});
        assertFalse(Files.exists(target));

        group.commit(Map.of("job", "heat", "certifiedResidual", 1.25e-7, "workers", List.of("a", "b")));

        assertFalse(Files.exists(group.folder()));
        ZarrGroup opened = ZarrGroup.open(target);
        assertEquals(List.of("u"), opened.arrays());
        assertArrayEquals(new double[] {7, 8}, opened.array("u").readAll());
        assertEquals(
                Map.of("job", "heat", "certifiedResidual", 1.25e-7, "workers", List.of("a", "b")), opened.attributes());
    }

    @Test
    void aNewResultReplacesTheEarlierOneAndNothingElseStays() throws IOException {
        Path target = folder.resolve("result.zarr");
        ZarrGroup.create(target).commit(Map.of("run", 1L));
        ZarrGroup.create(target).commit(Map.of("run", 2L));
        assertEquals(Map.of("run", 2L), ZarrGroup.open(target).attributes());
        try (var left = Files.list(folder)) {
            assertEquals(List.of(target), left.toList());
        }
    }

    @Test
    void aDiscardedGroupLeavesTheEarlierOne() throws IOException {
        Path target = folder.resolve("result.zarr");
        ZarrGroup.create(target).commit(Map.of("run", 1L));
        ZarrGroup second = ZarrGroup.create(target);
        second.createArray("u", ChunkGrid.of(new int[] {2}, new int[] {1}), List.of("x"), Map.of());
        second.discard();
        assertTrue(Files.notExists(second.folder()));
        assertEquals(Map.of("run", 1L), ZarrGroup.open(target).attributes());
    }

    @Test
    void saysWhatIsMissingWhenAFolderIsNoResult() {
        assertEquals(
                folder + " is not a Zarr group (it has no zarr.json); check the path",
                assertThrows(IOException.class, () -> ZarrGroup.open(folder)).getMessage());
    }

    @Test
    void findsTheGridInWhichEachBlockIsOneChunk() {
        int[] shape = {5, 4};
        List<int[]> lo = List.of(new int[] {0, 0}, new int[] {2, 0}, new int[] {4, 0});
        List<int[]> hi = List.of(new int[] {2, 4}, new int[] {4, 4}, new int[] {5, 4});
        assertEquals(Optional.of(ChunkGrid.of(shape, new int[] {2, 4})), ChunkGrid.fitting(shape, lo, hi));
    }

    @Test
    void knowsWhenUnequalBlocksAreNoGrid() {
        int[] shape = {5};
        assertEquals(
                Optional.empty(),
                ChunkGrid.fitting(shape, List.of(new int[] {0}, new int[] {2}), List.of(new int[] {2}, new int[] {5})));
    }

    @Test
    void boundsAChunkByTakingWholeFastAxesFirst() {
        assertArrayEquals(
                new int[] {1, 3, 10},
                ChunkGrid.bounded(new int[] {9, 8, 10}, 35).chunk());
        assertArrayEquals(
                new int[] {9, 8, 10},
                ChunkGrid.bounded(new int[] {9, 8, 10}, 1000).chunk());
    }

    private ZarrArray array(int[] shape, int[] chunk) throws IOException {
        List<String> names = List.of("z", "y", "x");
        return ZarrArray.create(
                folder.resolve("u"),
                ChunkGrid.of(shape, chunk),
                names.subList(3 - shape.length, 3),
                Map.of("unit", "K"));
    }
}
