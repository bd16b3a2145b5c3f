// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plot;

import dev.volary.cli.console.Units;
import dev.volary.cli.plot.Canvas.Anchor;
import dev.volary.cli.plot.Canvas.Panel;
import dev.volary.cli.result.AxisScale;
import dev.volary.cli.result.ResidualHistory;
import dev.volary.cli.result.ResultField;
import dev.volary.cli.result.ResultMesh;
import dev.volary.cli.result.RunMarks;
import dev.volary.zarr.ResultAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Draws a result: a heat map in two dimensions, three planes through the middle in three, a line in one; of several
 * components a map each, in three dimensions of the plane through the middle; of a mesh its cells, in three dimensions three views; beside it the certified residual over time, if {@code residuals.csv} lies next to the result,
 * with the failures and time steps of {@code events.jsonl}. Of several time steps the last one is drawn.
 */
public final class ResultPlot {
    private static final int TOP = 92;
    private static final int SIDE = 560;
    private static final int LEFT = 74;
    private static final int BOTTOM = 64;
    private static final int MOST_COMPONENTS = 4;

    /** What the residual curve shows. */
    private record History(List<ResidualHistory.Sample> samples, RunMarks marks) {}

    private ResultPlot() {}

    /**
     * Reads a result and writes a PNG file.
     *
     * @param zarr the group {@code result.zarr}
     * @throws IOException if the result is damaged or has more than three axes beside that of its components, there are no fonts, or the picture cannot be
     *     written
     */
    public static void draw(Path zarr, Path picture) throws IOException {
        ResultField field = ResultField.open(zarr);
        Path csv = zarr.resolveSibling("residuals.csv");
        Path events = zarr.resolveSibling("events.jsonl");
        History history = new History(
                Files.exists(csv) ? ResidualHistory.read(csv) : List.of(),
                Files.exists(events) ? RunMarks.read(events) : RunMarks.NONE);
        try {
            draw(field, history, picture);
        } catch (InternalError | NullPointerException | NoClassDefFoundError | UnsatisfiedLinkError noFonts) {
            // the JDK reports a machine without fontconfig or fonts in one of these ways
            throw new IOException(
                    picture + " cannot be drawn: this machine has no fonts for Java; install fontconfig and a font such"
                            + " as DejaVu (Debian: fontconfig fonts-dejavu-core)",
                    noFonts);
        }
    }

    private static void draw(ResultField field, History history, Path picture) throws IOException {
        int axes = field.axes().size();
        if (field.mesh() != null) {
            drawMesh(field, MeshValues.read(field, field.mesh()), history, picture);
            return;
        }
        if (field.hasComponents() && (axes == 3 || axes == 4)) {
            drawComponents(field, history, picture);
            return;
        }
        switch (axes) {
            case 1 -> drawLine(field, history, picture);
            case 2 -> drawMap(field, history, picture);
            case 3 -> drawSlices(field, history, picture);
            default -> throw new IOException("the result has " + axes + " axes; only one to three can be drawn");
        }
    }

    private static void drawMap(ResultField field, History history, Path picture) throws IOException {
        GridSlice plane = GridSlice.read(field.array(), 0, 1, new int[2]);
        Panel map = fitted(LEFT, TOP, SIDE, SIDE, plane);
        int barX = map.right() + 22;
        Panel curve = new Panel(barX + 178, TOP, 460, map.height());
        int width = history.samples().isEmpty() ? barX + 110 : curve.right() + 40;
        try (Canvas canvas = new Canvas(width, map.bottom() + BOTTOM)) {
            title(canvas, field);
            HeatMap heat = HeatMap.of(List.of(plane));
            heat.draw(canvas, map, plane, field.axes());
            heat.bar(canvas, new Panel(barX, map.y(), 18, map.height()), label(field.name(), field));
            drawCurve(canvas, curve, field, history);
            canvas.writePng(picture);
        }
    }

    private static void drawSlices(ResultField field, History history, Path picture) throws IOException {
        int[] middle =
                Arrays.stream(field.array().grid().shape()).map(e -> e / 2).toArray();
        List<GridSlice> planes = new ArrayList<>();
        planes.add(GridSlice.read(field.array(), 1, 2, middle));
        planes.add(GridSlice.read(field.array(), 0, 2, middle));
        planes.add(GridSlice.read(field.array(), 0, 1, middle));
        HeatMap heat = HeatMap.of(planes);
        int side = 320;
        int gap = 78;
        int barX = LEFT + 3 * side + 2 * gap + 22;
        Panel curve = new Panel(LEFT, TOP + 28 + side + 86, 3 * side + 2 * gap, 240);
        int bottom = history.samples().isEmpty() ? TOP + 28 + side : curve.bottom();
        try (Canvas canvas = new Canvas(barX + 110, bottom + BOTTOM)) {
            title(canvas, field);
            for (int p = 0; p < planes.size(); p++) {
                Panel panel = fitted(LEFT + p * (side + gap), TOP + 28, side, side, planes.get(p));
                place(canvas, field.axes().get(p), middle[p], panel);
                heat.draw(canvas, panel, planes.get(p), field.axes());
            }
            heat.bar(canvas, new Panel(barX, TOP + 28, 18, side), label(field.name(), field));
            drawCurve(canvas, curve, field, history);
            canvas.writePng(picture);
        }
    }

    private static void drawMesh(ResultField field, MeshValues mesh, History history, Path picture) throws IOException {
        boolean isPlane = mesh.axes() == 2;
        List<MeshView> views = isPlane ? List.of(MeshView.PLANE) : MeshView.SPACE;
        int side = isPlane ? SIDE : 320;
        int top = isPlane ? TOP : TOP + 28;
        List<Panel> panels = new ArrayList<>();
        List<MeshRaster> rasters = new ArrayList<>();
        for (int v = 0; v < views.size(); v++) {
            MeshRaster.Window window = views.get(v).window(mesh);
            panels.add(fitted(LEFT + v * (side + 78), top, side, side, window.width() / window.height()));
            rasters.add(views.get(v).draw(mesh, panels.get(v)));
        }
        HeatMap heat = mesh.form() == ResultMesh.CellForm.TETRAHEDRON ? HeatMap.ofRasters(rasters) : mesh.scale();
        int tallest = panels.stream().mapToInt(Panel::height).max().orElse(side);
        Panel bar = new Panel(panels.getLast().right() + 22, top, 18, tallest);
        Panel curve = isPlane
                ? new Panel(bar.x() + 178, top, 460, bar.height())
                : new Panel(LEFT, top + tallest + 86, 3 * side + 2 * 78, 240);
        boolean hasCurve = !history.samples().isEmpty();
        int width =
                isPlane && hasCurve ? curve.right() + 40 : Math.max(bar.x() + 110, isPlane ? 0 : curve.right() + 110);
        int bottom = isPlane || !hasCurve ? bar.bottom() : curve.bottom();
        try (Canvas canvas = new Canvas(width, bottom + BOTTOM)) {
            title(canvas, field);
            for (int v = 0; v < views.size(); v++) {
                drawView(canvas, views.get(v), mesh, panels.get(v), rasters.get(v), heat);
            }
            heat.bar(canvas, bar, label(field.name(), field));
            drawCurve(canvas, curve, field, history);
            canvas.writePng(picture);
        }
    }

    private static void drawView(
            Canvas canvas, MeshView view, MeshValues mesh, Panel panel, MeshRaster raster, HeatMap heat)
            throws IOException {
        raster.paint(canvas, heat);
        view.edges(mesh, raster, panel, canvas);
        canvas.frame(panel);
        MeshRaster.Window window = view.window(mesh);
        Axes.horizontal(canvas, panel, window.left(), window.right(), view.rightName());
        Axes.vertical(canvas, panel, window.bottom(), window.top(), view.upName());
        if (mesh.axes() == 3) {
            place(canvas, view.place(mesh), panel);
        }
    }

    /** Each component has a scale of its own: their magnitudes may differ by any factor. */
    private static void drawComponents(ResultField field, History history, Path picture) throws IOException {
        List<String> names = field.componentNames();
        int count = Math.min(MOST_COMPONENTS, names.size());
        int last = field.axes().size() - 1;
        int side = 320;
        int gap = 200;
        int width = count * side + (count - 1) * gap;
        Panel curve = new Panel(LEFT, TOP + 28 + side + 86, width, 240);
        int bottom = history.samples().isEmpty() ? TOP + 28 + side : curve.bottom();
        int[] at = Arrays.stream(field.array().grid().shape()).map(e -> e / 2).toArray();
        try (Canvas canvas = new Canvas(LEFT + width + 140, bottom + BOTTOM)) {
            title(canvas, field);
            for (int component = 0; component < count; component++) {
                at[0] = component;
                GridSlice plane = GridSlice.read(field.array(), 1, last, at);
                Panel panel = fitted(LEFT + component * (side + gap), TOP + 28, side, side, plane);
                HeatMap heat = HeatMap.of(List.of(plane));
                heat.draw(canvas, panel, plane, field.axes());
                heat.bar(
                        canvas,
                        new Panel(panel.right() + 22, panel.y(), 18, panel.height()),
                        label(names.get(component), field));
                if (last == 3) {
                    place(canvas, field.axes().get(2), at[2], panel);
                }
            }
            drawCurve(canvas, curve, field, history);
            canvas.writePng(picture);
        }
    }

    private static void drawCurve(Canvas canvas, Panel curve, ResultField field, History history) {
        if (!history.samples().isEmpty()) {
            ResidualCurve.draw(
                    canvas,
                    curve,
                    history.samples(),
                    history.marks(),
                    field.about().tolerance());
        }
    }

    private static String label(String name, ResultField field) {
        return field.unit().isEmpty() ? name : name + " (" + field.unit() + ")";
    }

    /** Says above a plane where it lies. */
    private static void place(Canvas canvas, AxisScale axis, int index, Panel panel) {
        place(
                canvas,
                axis.name() + " = " + Axes.label(axis.at(index), axis.last() - axis.first())
                        + (axis.unit().isEmpty() ? "" : " " + axis.unit()),
                panel);
    }

    private static void place(Canvas canvas, String text, Panel panel) {
        canvas.text(text, panel.x() + panel.width() / 2.0, TOP + 16, 14, false, Canvas.INK, Anchor.CENTRE);
    }

    private static void drawLine(ResultField field, History history, Path picture) throws IOException {
        Panel panel = new Panel(LEFT + 12, TOP, 640, 420);
        Panel curve = new Panel(panel.right() + 110, TOP, 420, 420);
        int width = history.samples().isEmpty() ? panel.right() + 40 : curve.right() + 40;
        try (Canvas canvas = new Canvas(width, panel.bottom() + BOTTOM)) {
            title(canvas, field);
            MinMaxDownsampler.read(field.array(), panel.width())
                    .draw(canvas, panel, field.axes().getFirst(), label(field.name(), field));
            drawCurve(canvas, curve, field, history);
            canvas.writePng(picture);
        }
    }

    /** The largest panel within the given size that has the aspect ratio of the plane, limited to 1:3. */
    private static Panel fitted(int x, int y, int width, int height, GridSlice plane) {
        return fitted(x, y, width, height, plane.columns() / (double) plane.rows());
    }

    private static Panel fitted(int x, int y, int width, int height, double ratio) {
        double aspect = Math.clamp(ratio, 0.33, 3);
        return aspect >= 1
                ? new Panel(x, y, width, (int) Math.round(height / aspect))
                : new Panel(x, y, (int) Math.round(width * aspect), height);
    }

    private static void title(Canvas canvas, ResultField field) {
        ResultAttributes about = field.about();
        String name = about.job().isEmpty() ? "result" : about.job();
        canvas.text(name, LEFT, 38, 24, true, Canvas.INK, Anchor.LEFT);
        String size = Units.grouped(field.array().grid().size()) + " unknowns";
        String subtitle = Canvas.joined(List.of(about.problem(), size, verdict(about)));
        canvas.text(subtitle, LEFT, 64, 14, false, Canvas.FAINT, Anchor.LEFT);
    }

    /** The residual as text; empty if it is unknown. */
    static String verdict(ResultAttributes about) {
        if (Double.isNaN(about.certifiedResidual())) {
            return "";
        }
        String residual = Units.small(about.certifiedResidual());
        return about.certified()
                ? "certified residual " + residual + " ≤ " + Units.small(about.tolerance())
                : "residual " + residual + ", not certified";
    }
}
