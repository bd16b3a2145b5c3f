// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.cli.result.ResidualHistory;
import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pictures have the right colors in the right places. */
class ResultPlotTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void drawWithoutAScreen() {
        System.setProperty("java.awt.headless", "true");
    }

    /** From matplotlib's table: the first, middle and last color are #440154, #21918c and #fde725. */
    @Test
    void viridisIsAsInMatplotlib() {
        assertNear(0x440154, Viridis.rgb(0));
        assertNear(0x21918c, Viridis.rgb(0.5));
        assertNear(0xfde725, Viridis.rgb(1));
    }

    @Test
    void theFirstRowIsAtTheBottomAndTheFirstColumnAtTheLeft() throws IOException {
        // grows along the columns: dark at the left, bright at the right
        BufferedImage across = picture(new int[] {8, 8}, i -> i % 8);
        assertNear(Viridis.rgb(0), across.getRGB(80, 400));
        assertNear(Viridis.rgb(1), across.getRGB(628, 400));
        // grows along the rows: dark at the bottom, bright at the top
        BufferedImage up = picture(new int[] {8, 8}, i -> Math.floorDiv(i, 8));
        assertNear(Viridis.rgb(0), up.getRGB(300, 645));
        assertNear(Viridis.rgb(1), up.getRGB(300, 98));
    }

    @Test
    void aMissingValueIsGreyAndDoesNotDisturbTheScale() throws IOException {
        BufferedImage image = picture(new int[] {2, 2}, i -> i == 0 ? Double.NaN : i);
        assertNear(0xb0b0b0, image.getRGB(100, 640));
        assertNear(Viridis.rgb(1), image.getRGB(630, 95));
    }

    @Test
    void aVectorAndAVolumeAreDrawnToo() throws IOException {
        assertTrue(distinctColors(picture(new int[] {500}, i -> Math.sin(i / 20.0))) > 5);
        assertTrue(distinctColors(picture(new int[] {4, 5, 6}, i -> i)) > 100);
    }

    /** The second component is 1000 times the first, so on a common scale the first would be dark everywhere. */
    @Test
    void everyComponentHasAMapWithItsOwnScale() throws IOException {
        for (int[] grid : List.of(new int[] {8, 8}, new int[] {8, 3, 8})) {
            int points = Arrays.stream(grid).reduce(1, (a, b) -> a * b);
            BufferedImage image = components(grid, i -> i % 8 * (i < points ? 1 : 1000));
            for (int left : new int[] {74, 594}) {
                assertNear(Viridis.rgb(0), image.getRGB(left + 4, 300));
                assertNear(Viridis.rgb(1), image.getRGB(left + 316, 300));
            }
        }
    }

    private BufferedImage components(int[] grid, IntToDoubleFunction value) throws IOException {
        int[] shape = new int[grid.length + 1];
        shape[0] = 2;
        System.arraycopy(grid, 0, shape, 1, grid.length);
        List<String> dimensions = grid.length == 2 ? List.of("species", "z", "x") : List.of("species", "z", "y", "x");
        return picture(shape, dimensions, Map.of("components", "species"), value);
    }

    @Test
    void aConstantFieldIsDrawn() throws IOException {
        assertNear(Viridis.rgb(0.5), picture(new int[] {4, 4}, i -> 7).getRGB(300, 300));
    }

    @Test
    void theHistoryMakesThePictureWider() throws IOException {
        int without = picture(new int[] {4, 4}, i -> i).getWidth();
        try (ResidualHistory history = ResidualHistory.create(folder.resolve("residuals.csv"))) {
            history.add(new ResidualHistory.Sample(Duration.ofSeconds(1), 1, 1e-2, 1e-2, 10));
        }
        assertTrue(picture(new int[] {4, 4}, i -> i).getWidth() > without + 300);
    }

    /** The curve begins 178 pixels right of the color bar, and its axis ends 5 % after the only snapshot. */
    @Test
    void aFailureAndATimeStepAreMarkedInTheResidualCurve() throws IOException {
        try (ResidualHistory history = ResidualHistory.create(folder.resolve("residuals.csv"))) {
            history.add(new ResidualHistory.Sample(Duration.ofSeconds(10), 1, 1e-2, 1e-2, 10));
        }
        BufferedImage plain = picture(new int[] {4, 4}, i -> i);
        Files.writeString(folder.resolve("events.jsonl"), """
                {"time":"2026-01-01T10:00:00Z","type":"all-iterating"}
                {"time":"2026-01-01T10:00:03.15Z","type":"fault-injected","worker":"daemon-0"}
                {"time":"2026-01-01T10:00:05.25Z","type":"step-committed","step":1}
                """);
        BufferedImage marked = picture(new int[] {4, 4}, i -> i);
        int failure = 74 + 560 + 22 + 178 + 138;
        assertNear(0xffffff, plain.getRGB(failure, 100));
        assertTrue((marked.getRGB(failure, 100) & 255) < 64, "orange has little blue");
        int step = 74 + 560 + 22 + 178 + 230;
        assertNear(0xffffff, plain.getRGB(step, 646));
        assertTrue((marked.getRGB(step, 646) & 255) < 192, "grey is darker than white");
    }

    @Test
    void aDamagedResultIsNamed() throws IOException {
        picture(new int[] {4, 4}, i -> i);
        Path chunk = folder.resolve("result.zarr/u/c/0/0");
        byte[] bytes = Files.readAllBytes(chunk);
        bytes[3] ^= 4;
        Files.write(chunk, bytes);
        assertTrue(String.valueOf(assertThrows(
                                IOException.class,
                                () -> ResultPlot.draw(folder.resolve("result.zarr"), folder.resolve("p.png")))
                        .getMessage())
                .startsWith(chunk + " does not match its checksum"));
    }

    @Test
    void ticksAreRound() {
        assertEquals(List.of(0.0, 20.0, 40.0, 60.0), Axes.ticks(0, 63, 6));
        assertEquals(List.of(-6, -4, -2, 0), Axes.decades(-6, 0, 3));
        assertEquals("0.05", Axes.label(0.05, 0.3));
        assertEquals("20", Axes.label(20, 63));
        assertEquals("0", Axes.label(1e-18, 1));
        assertEquals("7", Axes.label(7, 0));
    }

    @Test
    void onlyACertifiedResidualIsComparedWithTheTolerance() {
        assertEquals(
                "certified residual 9.00e-05 ≤ 1.00e-04",
                ResultPlot.verdict(new ResultAttributes("j", "p", true, 9e-5, 9e-5, 1e-4, 7)));
        assertEquals(
                "residual 2.00e-01, not certified",
                ResultPlot.verdict(new ResultAttributes("j", "p", false, 0.2, 0.2, 1e-4, 7)));
        assertEquals("", ResultPlot.verdict(ResultAttributes.of(Map.of())));
    }

    /** A square of two triangles whose values are x, without its upper left half: the panel is 560 pixels wide from 74 and 92. */
    @Test
    void theTrianglesOfAMeshAreFilledWhereTheyAre() throws IOException {
        BufferedImage image =
                mesh(new double[] {0, 0, 1, 0, 1, 1, 0, 1}, 3, new double[] {0, 1, 2}, new double[] {0, 1, 1, 0});
        assertNear(Viridis.rgb(0.5), image.getRGB(354, 560));
        assertNear(Viridis.rgb(0.9), image.getRGB(565, 400));
        assertNear(0xffffff, image.getRGB(200, 200));
        assertNear(0xffffff, image.getRGB(80, 645));
    }

    @Test
    void withoutCellsThePointsAreDrawnInTheirColors() throws IOException {
        BufferedImage image =
                mesh(new double[] {0, 0, 1, 0, 1, 1, 0, 1}, 0, new double[0], new double[] {0, 0.5, 1, 0});
        assertNear(Viridis.rgb(0.5), image.getRGB(618, 636));
        assertNear(Viridis.rgb(1), image.getRGB(618, 108));
        assertNear(0xffffff, image.getRGB(354, 372));
    }

    /** The plane through the middle of each axis cuts this tetrahedron; views have 320 pixels from 74, 472 and 870. */
    @Test
    void aTetrahedronIsCutByThreePlanes() throws IOException {
        BufferedImage image =
                mesh(new double[] {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, 4, new double[] {0, 1, 2, 3}, new double[] {
                    0, 1, 0, 0
                });
        for (int left : new int[] {74, 472, 870}) {
            assertTrue((image.getRGB(left + 60, 120 + 250) & 0xffffff) != 0xffffff, "view at " + left);
            assertNear(0xffffff, image.getRGB(left + 250, 120 + 60));
        }
    }

    private BufferedImage mesh(double[] coordinates, int corners, double[] cells, double[] values) throws IOException {
        int axes = coordinates.length / values.length;
        Path zarr = folder.resolve("result.zarr");
        ZarrGroup group = ZarrGroup.create(zarr);
        group.createArray("x", ChunkGrid.bounded(new int[] {values.length}, 3), List.of("i"), Map.of())
                .writeAll(values);
        int[] shape = {values.length, axes};
        group.createMeshArray("coordinates", ChunkGrid.of(shape, shape), false, List.of("i", "axis"))
                .writeAll(coordinates);
        if (corners > 0) {
            int[] rows = {cells.length / corners, corners};
            group.createMeshArray("cells", ChunkGrid.of(rows, rows), true, List.of("cell", "corner"))
                    .writeAll(cells);
        }
        group.commit(Map.of("job", "test"));
        Path picture = folder.resolve("result.png");
        ResultPlot.draw(zarr, picture);
        return ImageIO.read(picture.toFile());
    }

    private BufferedImage picture(int[] shape, IntToDoubleFunction value) throws IOException {
        return picture(shape, List.of("z", "y", "x").subList(3 - shape.length, 3), Map.of(), value);
    }

    private BufferedImage picture(
            int[] shape, List<String> dimensions, Map<String, Object> attributes, IntToDoubleFunction value)
            throws IOException {
        Path zarr = folder.resolve("result.zarr");
        ChunkGrid grid = ChunkGrid.bounded(shape, 1 << 20);
        double[] values = new double[Math.toIntExact(grid.size())];
        Arrays.setAll(values, value);
        ZarrGroup group = ZarrGroup.create(zarr);
        group.createArray("u", grid, dimensions, attributes).writeAll(values);
        group.commit(Map.of("job", "test"));
        Path picture = folder.resolve("result.png");
        ResultPlot.draw(zarr, picture);
        return ImageIO.read(picture.toFile());
    }

    private static long distinctColors(BufferedImage image) {
        return Arrays.stream(image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()))
                .distinct()
                .count();
    }

    /** Equal to within 8 of 255 in each channel: interpolation and the polynomial both round. */
    private static void assertNear(int expected, int actual) {
        for (int shift = 0; shift <= 16; shift += 8) {
            int difference = Math.abs((expected >> shift & 255) - (actual >> shift & 255));
            assertTrue(difference <= 8, String.format("expected #%06x, got #%06x", expected, actual & 0xffffff));
        }
    }
}
