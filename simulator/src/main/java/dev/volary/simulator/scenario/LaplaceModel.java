// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import dev.volary.solver.SteppedBlock;
import dev.volary.solver.Subdomain;
import dev.volary.solver.TimeStepping;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The problem that simulated jobs solve: Laplace's equation on a small square with the boundary values of the harmonic
 * polynomial x² − y², five-point formula, a few Gauss–Seidel sweeps as the local step. Tiles have up to four neighbors.
 *
 * <p>With time steps it is solved by implicit Euler from x² − y² + 1: the equations are (σ + 4)u − Σ four neighbors = σuˢ⁻¹
 * with σ = h²/(κΔt) = 1.
 */
final class LaplaceModel implements Model {
    private static final int SWEEPS = 2;
    /** γ₈ of the sum of six products, with u = 2⁻⁵³ (docs/explanation/certification.md, "rounding bound"). */
    private static final double GAMMA = 8 * 0x1p-53 / (1 - 8 * 0x1p-53);

    private final int side;
    private final int steps;
    private final double sigma;

    /**
     * @param steps in time; 0 for the stationary problem
     */
    LaplaceModel(int side, int steps) {
        this.side = side;
        this.steps = steps;
        this.sigma = steps == 0 ? 0 : 1;
    }

    int steps() {
        return steps;
    }

    double sigma() {
        return sigma;
    }

    /** Bound of ‖A⁻¹‖∞ of one step: a row's diagonal exceeds the sum of its other entries by σ at least. */
    double inverseBound() {
        return 1 / sigma;
    }

    @Override
    public Optional<TimeStepping> timeStepping() {
        return steps == 0 ? Optional.empty() : Optional.of(new TimeStepping(steps, 1));
    }

    @Override
    public Shape unknowns() {
        return Shape.of(side, side);
    }

    /** Tiles in as square an arrangement as the number allows. */
    @Override
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        int rows = (int) Math.sqrt(blocks);
        while (blocks % rows != 0) {
            rows--;
        }
        int columns = blocks / rows;
        if (columns > side) {
            throw new InvalidProblemException("blocks", "is " + blocks + " for a plate of side " + side, "use fewer");
        }
        List<Subdomain> parts = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        for (int r = 0; r < rows; r++) {
            for (int c = 0; c < columns; c++) {
                int top = r * side / rows;
                int bottom = (r + 1) * side / rows;
                int left = c * side / columns;
                int right = (c + 1) * side / columns;
                int id = r * columns + c;
                Box core = Box.of(new int[] {top, left}, new int[] {bottom, right});
                parts.add(new Subdomain(id, core, 16L * core.size(), core.size()));
                if (r > 0) {
                    edges.add(new Edge(id, id - columns, Box.of(new int[] {top, left}, new int[] {top + 1, right})));
                }
                if (r < rows - 1) {
                    edges.add(new Edge(
                            id, id + columns, Box.of(new int[] {bottom - 1, left}, new int[] {bottom, right})));
                }
                if (c > 0) {
                    edges.add(new Edge(id, id - 1, Box.of(new int[] {top, left}, new int[] {bottom, left + 1})));
                }
                if (c < columns - 1) {
                    edges.add(new Edge(id, id + 1, Box.of(new int[] {top, right - 1}, new int[] {bottom, right})));
                }
            }
        }
        return new Decomposition(unknowns(), parts, edges);
    }

    @Override
    public Tile block(Decomposition decomposition, int id, Resources resources) {
        Box core = (Box) decomposition.parts().get(id).core();
        return tile(core, core, decomposition.incoming(id));
    }

    /**
     * A block that also iterates unknowns of its neighbors.
     *
     * @param patch what it iterates: the core, and what overlaps its neighbors
     * @param incoming the edges bring what the patch overlaps, and the points around it
     */
    Tile tile(Box core, Box patch, List<Edge> incoming) {
        return new Tile(
                core, patch, incoming.stream().map(edge -> (Box) edge.values()).toList());
    }

    @Override
    public double scale() {
        return 1;
    }

    @Override
    public double attainableFloor() {
        return 1e-14;
    }

    /** x² − y² at a grid point; indices −1 and {@code side} are on the boundary. */
    double boundary(int row, int column) {
        double x = (column + 1.0) / (side + 1);
        double y = (row + 1.0) / (side + 1);
        return x * x - y * y;
    }

    /** One block. */
    final class Tile implements SteppedBlock {
        private final Box patch;
        private final List<Box> incoming;
        private final int height;
        private final int width;
        /** First row and column of the core, and the ends. */
        private final int top;

        private final int bottom;
        private final int left;
        private final int right;
        private final double[] state;
        private final double[] committed;
        private int step = steps == 0 ? 0 : 1;

        private Tile(Box core, Box patch, List<Box> incoming) {
            this.patch = patch;
            this.incoming = incoming;
            height = patch.extent(0);
            width = patch.extent(1);
            top = core.lo(0) - patch.lo(0);
            bottom = top + core.extent(0);
            left = core.lo(1) - patch.lo(1);
            right = left + core.extent(1);
            state = frame();
            committed = frame();
            if (steps > 0) {
                for (int r = 0; r < height; r++) {
                    for (int c = 0; c < width; c++) {
                        committed[at(r, c)] = 1 + boundary(patch.lo(0) + r, patch.lo(1) + c);
                    }
                }
                System.arraycopy(committed, 0, state, 0, state.length);
            }
        }

        @Override
        public int step() {
            return step;
        }

        @Override
        public void commit(double[] certified, Halos halos) {
            rim(committed, halos);
            place(committed, certified);
            setCore(certified, halos);
            step++;
        }

        @Override
        public void save(DataOutput out) throws IOException {
            out.writeInt(step);
            for (double value : committed) {
                out.writeDouble(value);
            }
        }

        @Override
        public void load(DataInput in) throws IOException {
            step = in.readInt();
            for (int i = 0; i < committed.length; i++) {
                committed[i] = in.readDouble();
            }
        }

        /** The patch with a rim of one point, which holds boundary values where it lies on the boundary. */
        private double[] frame() {
            double[] frame = new double[(height + 2) * (width + 2)];
            for (int r = -1; r <= height; r++) {
                for (int c = -1; c <= width; c++) {
                    int row = patch.lo(0) + r;
                    int column = patch.lo(1) + c;
                    if (row < 0 || row == side || column < 0 || column == side) {
                        frame[at(r, c)] = boundary(row, column);
                    }
                }
            }
            return frame;
        }

        /** A value of the iterate; rows and columns count from the first of the patch, −1 is the rim. */
        double value(int r, int c) {
            return state[at(r, c)];
        }

        void add(int r, int c, double correction) {
            state[at(r, c)] += correction;
        }

        /** The residual of a point for the iterate and the rim as they are. */
        double residual(int r, int c) {
            return row(state, r, c);
        }

        /** Takes the values of the neighbors. */
        void takeRim(Halos newest) {
            rim(state, newest);
        }

        private int at(int r, int c) {
            return (r + 1) * (width + 2) + c + 1;
        }

        private void rim(double[] frame, Halos halos) {
            for (int k = 0; k < incoming.size(); k++) {
                Box box = incoming.get(k);
                double[] values = halos.values(k);
                int next = 0;
                for (int row = box.lo(0); row < box.hi(0); row++) {
                    for (int column = box.lo(1); column < box.hi(1); column++) {
                        frame[at(row - patch.lo(0), column - patch.lo(1))] = values[next++];
                    }
                }
            }
        }

        @Override
        public double iterate(Halos newest) {
            takeRim(newest);
            return sweep();
        }

        /** Sweeps over the patch; returns the largest change of the last sweep, as a residual. */
        double sweep() {
            double hint = 0;
            for (int sweep = 0; sweep < SWEEPS; sweep++) {
                hint = 0;
                for (int r = 0; r < height; r++) {
                    for (int c = 0; c < width; c++) {
                        double residual = row(state, r, c);
                        state[at(r, c)] -= residual / (4 + sigma);
                        hint = Math.max(hint, Math.abs(residual));
                    }
                }
            }
            return hint;
        }

        private double row(double[] frame, int r, int c) {
            return (4 + sigma) * frame[at(r, c)]
                    - sigma * committed[at(r, c)]
                    - (frame[at(r - 1, c)] + frame[at(r, c - 1)] + frame[at(r, c + 1)] + frame[at(r + 1, c)]);
        }

        @Override
        public void copyCore(double[] target) {
            int length = right - left;
            for (int r = top; r < bottom; r++) {
                System.arraycopy(state, at(r, left), target, (r - top) * length, length);
            }
        }

        @Override
        public void setCore(double[] values, Halos halos) {
            rim(state, halos);
            place(state, values);
        }

        private void place(double[] frame, double[] values) {
            int length = right - left;
            for (int r = top; r < bottom; r++) {
                System.arraycopy(values, (r - top) * length, frame, at(r, left), length);
            }
        }

        @Override
        public Residual residual(double[] values, Halos recorded) {
            double[] frame = frame();
            rim(frame, recorded);
            place(frame, values);
            double largest = 0;
            double squares = 0;
            double magnitude = 0;
            for (int r = top; r < bottom; r++) {
                for (int c = left; c < right; c++) {
                    double residual = row(frame, r, c);
                    largest = Math.max(largest, Math.abs(residual));
                    squares += residual * residual;
                    magnitude = Math.max(
                            magnitude,
                            (4 + sigma) * Math.abs(frame[at(r, c)])
                                    + sigma * Math.abs(committed[at(r, c)])
                                    + Math.abs(frame[at(r - 1, c)])
                                    + Math.abs(frame[at(r + 1, c)])
                                    + Math.abs(frame[at(r, c - 1)])
                                    + Math.abs(frame[at(r, c + 1)]));
                }
            }
            return new Residual(largest, squares, GAMMA * magnitude);
        }
    }
}
