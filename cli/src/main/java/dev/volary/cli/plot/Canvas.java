// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Stroke;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;

/** A picture on which frames, text, lines and pixels are drawn in a common style. */
final class Canvas implements AutoCloseable {
    static final Color INK = new Color(0x22, 0x22, 0x22);
    static final Color FAINT = new Color(0x77, 0x77, 0x77);
    static final Color GRID = new Color(0xe4, 0xe4, 0xe4);
    static final Color ACCENT = Viridis.color(0.3);
    static final Color LIMIT = new Color(0xc0, 0x39, 0x2b);

    /** Alignment of a text to its point. */
    enum Anchor {
        LEFT,
        CENTRE,
        RIGHT
    }

    private final BufferedImage image;
    private final Graphics2D graphics;

    Canvas(int width, int height) {
        image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
    }

    void text(String text, double x, double y, int size, boolean bold, Color color, Anchor anchor) {
        graphics.setFont(new Font(Font.SANS_SERIF, bold ? Font.BOLD : Font.PLAIN, size));
        graphics.setColor(color);
        double width = graphics.getFontMetrics().stringWidth(text);
        double shift =
                switch (anchor) {
                    case LEFT -> 0;
                    case CENTRE -> width / 2;
                    case RIGHT -> width;
                };
        graphics.drawString(text, (float) (x - shift), (float) y);
    }

    /** Draws the name of a vertical axis, centered at the point: upright if it is a letter, else running upwards. */
    void axisName(String text, double x, double y, int size, Color color) {
        if (text.length() == 1) {
            text(text, x, y, size, false, color, Anchor.CENTRE);
            return;
        }
        AffineTransform upright = graphics.getTransform();
        graphics.rotate(-Math.PI / 2, x, y);
        text(text, x, y, size, false, color, Anchor.CENTRE);
        graphics.setTransform(upright);
    }

    void line(double x0, double y0, double x1, double y1, Color color, boolean dashed) {
        Path2D path = new Path2D.Double();
        path.moveTo(x0, y0);
        path.lineTo(x1, y1);
        Stroke stroke = dashed
                ? new BasicStroke(1.4f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {6, 4}, 0)
                : new BasicStroke(1);
        draw(path, color, stroke);
    }

    /** Draws a line through points given as x, y, x, y, …. */
    void polyline(double[] xy, Color color, double width) {
        Path2D path = new Path2D.Double();
        for (int i = 0; i + 1 < xy.length; i += 2) {
            if (i == 0) {
                path.moveTo(xy[i], xy[i + 1]);
            } else {
                path.lineTo(xy[i], xy[i + 1]);
            }
        }
        draw(path, color, new BasicStroke((float) width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
    }

    void dot(double x, double y, double radius, Color color) {
        graphics.setColor(color);
        graphics.fill(new Ellipse2D.Double(x - radius, y - radius, 2 * radius, 2 * radius));
    }

    void frame(Panel panel) {
        graphics.setStroke(new BasicStroke(1));
        graphics.setColor(INK);
        graphics.drawRect(panel.x(), panel.y(), panel.width(), panel.height());
    }

    void pixel(int x, int y, int rgb) {
        image.setRGB(x, y, rgb);
    }

    void writePng(Path file) throws IOException {
        ImageIO.setUseCache(false);
        ImageIO.write(image, "png", file.toFile());
    }

    private void draw(Path2D path, Color color, Stroke stroke) {
        graphics.setStroke(stroke);
        graphics.setColor(color);
        graphics.draw(path);
    }

    @Override
    public void close() {
        graphics.dispose();
    }

    /** A rectangle of pixels. */
    record Panel(int x, int y, int width, int height) {
        int right() {
            return x + width;
        }

        int bottom() {
            return y + height;
        }
    }

    /** Joins the parts of a subtitle, without empty ones. */
    static String joined(List<String> parts) {
        return parts.stream().filter(p -> !p.isEmpty()).collect(Collectors.joining("   ·   "));
    }
}
