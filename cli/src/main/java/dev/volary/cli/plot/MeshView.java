// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plot;

import dev.volary.cli.plot.Canvas.Panel;
import dev.volary.cli.plot.MeshRaster.Vertex;
import dev.volary.cli.plot.MeshRaster.Window;
import dev.volary.cli.result.ResultMesh;
import java.awt.Color;
import java.io.IOException;
import java.util.List;

/**
 * Draws a mesh with its values in one panel: a mesh in the plane as it is; one in space seen along an axis, or, of tetrahedra, cut by the
 * plane through the middle.
 *
 * @param right the axis that runs to the right
 * @param up the axis that runs upwards
 * @param away the axis that the view runs along; negative in the plane
 * @param towards 1 if this axis grows towards the viewer, else -1
 */
record MeshView(int right, int up, int away, int towards) {
    /** The plane, or a view from above. */
    static final MeshView PLANE = new MeshView(0, 1, -1, 1);

    /** Down the z axis, along the y axis, against the x axis: the order of the planes of a grid. */
    static final List<MeshView> SPACE =
            List.of(new MeshView(0, 1, 2, 1), new MeshView(0, 2, 1, -1), new MeshView(1, 2, 0, 1));

    private static final List<String> NAMES = List.of("x", "y", "z");
    private static final double MARGIN = 0.03;

    /** Edges of cells are drawn if a cell takes this many pixels or more. */
    private static final double PIXELS_OF_CELL = 60;

    private static final Color EDGE = new Color(0, 0, 0, 70);

    /** What lies round the mesh, with a margin. */
    Window window(MeshValues mesh) {
        double widest = Math.max(extent(mesh, right), extent(mesh, up));
        double margin = MARGIN * (widest > 0 ? widest : 1);
        return new Window(
                mesh.min(right) - margin, mesh.max(right) + margin, mesh.min(up) - margin, mesh.max(up) + margin);
    }

    private static double extent(MeshValues mesh, int axis) {
        return mesh.max(axis) - mesh.min(axis);
    }

    String rightName() {
        return NAMES.get(right);
    }

    String upName() {
        return NAMES.get(up);
    }

    /** Says where the plane or the viewer is. */
    String place(MeshValues mesh) {
        return mesh.form() == ResultMesh.CellForm.TETRAHEDRON
                ? NAMES.get(away) + " = " + Axes.label(middle(mesh), extent(mesh, away))
                : "from " + (towards > 0 ? "+" : "−") + NAMES.get(away);
    }

    private double middle(MeshValues mesh) {
        return (mesh.min(away) + mesh.max(away)) / 2;
    }

    /** Draws the cells. */
    MeshRaster draw(MeshValues mesh, Panel panel) throws IOException {
        MeshRaster raster = new MeshRaster(panel, window(mesh));
        double spacing = Math.sqrt(panel.width() * (double) panel.height() / mesh.points());
        double radius = Math.clamp(spacing / 7, 0.4, 4);
        int corners = mesh.corners();
        mesh.readCells(cells -> {
            for (int first = 0; first < cells.length; first += corners) {
                Vertex a = vertex(mesh, cells[first]);
                switch (mesh.form()) {
                    case POINT -> raster.dot(a, Math.max(radius, 1));
                    case LINE -> raster.line(a, vertex(mesh, cells[first + 1]), Math.max(radius / 2, 0.34));
                    case TRIANGLE -> raster.triangle(a, vertex(mesh, cells[first + 1]), vertex(mesh, cells[first + 2]));
                    case QUADRILATERAL -> {
                        Vertex c = vertex(mesh, cells[first + 2]);
                        raster.triangle(a, vertex(mesh, cells[first + 1]), c);
                        raster.triangle(a, c, vertex(mesh, cells[first + 3]));
                    }
                    case TETRAHEDRON -> cut(mesh, cells, first, raster);
                }
            }
        });
        if (mesh.form() == ResultMesh.CellForm.LINE && radius > 1) {
            for (int point = 0; point < mesh.points(); point++) {
                Vertex at = vertex(mesh, point);
                raster.dot(new Vertex(at.x(), at.y(), Math.nextUp((float) at.depth()), at.value()), radius);
            }
        }
        return raster;
    }

    /** Draws the edges of cells, where they are large enough to be told apart. */
    void edges(MeshValues mesh, MeshRaster raster, Panel panel, Canvas canvas) throws IOException {
        double pixels = panel.width() * (double) panel.height() / mesh.cellCount();
        boolean isFilled =
                mesh.form() == ResultMesh.CellForm.TRIANGLE || mesh.form() == ResultMesh.CellForm.QUADRILATERAL;
        if (away >= 0 || !isFilled || pixels < PIXELS_OF_CELL) {
            return;
        }
        int corners = mesh.corners();
        mesh.readCells(cells -> {
            for (int first = 0; first < cells.length; first += corners) {
                double[] outline = new double[2 * corners + 2];
                for (int i = 0; i <= corners; i++) {
                    Vertex at = vertex(mesh, cells[first + i % corners]);
                    outline[2 * i] = raster.pixelX(at);
                    outline[2 * i + 1] = raster.pixelY(at);
                }
                canvas.polyline(outline, EDGE, 0.5);
            }
        });
    }

    private Vertex vertex(MeshValues mesh, int point) {
        return new Vertex(
                mesh.coordinate(point, right),
                mesh.coordinate(point, up),
                away < 0 ? 0 : towards * mesh.coordinate(point, away),
                mesh.value(point));
    }

    /** Where the plane through the middle cuts a tetrahedron: a triangle or a quadrilateral. */
    private void cut(MeshValues mesh, int[] cells, int first, MeshRaster raster) {
        double plane = middle(mesh);
        int[] below = new int[4];
        int[] above = new int[4];
        int belows = 0;
        int aboves = 0;
        for (int i = first; i < first + 4; i++) {
            if (mesh.coordinate(cells[i], away) < plane) {
                below[belows++] = cells[i];
            } else {
                above[aboves++] = cells[i];
            }
        }
        if (belows == 0 || aboves == 0) {
            return;
        }
        Vertex p = crossing(mesh, below[0], above[0], plane);
        if (belows == 2) {
            Vertex q = crossing(mesh, below[0], above[1], plane);
            Vertex r = crossing(mesh, below[1], above[1], plane);
            raster.triangle(p, q, r);
            raster.triangle(p, r, crossing(mesh, below[1], above[0], plane));
        } else if (belows == 1) {
            raster.triangle(p, crossing(mesh, below[0], above[1], plane), crossing(mesh, below[0], above[2], plane));
        } else {
            raster.triangle(p, crossing(mesh, below[1], above[0], plane), crossing(mesh, below[2], above[0], plane));
        }
    }

    private Vertex crossing(MeshValues mesh, int below, int above, double plane) {
        double from = mesh.coordinate(below, away);
        double t = (plane - from) / (mesh.coordinate(above, away) - from);
        Vertex a = vertex(mesh, below);
        Vertex b = vertex(mesh, above);
        return new Vertex(
                a.x() + t * (b.x() - a.x()), a.y() + t * (b.y() - a.y()), 0, a.value() + t * (b.value() - a.value()));
    }
}
