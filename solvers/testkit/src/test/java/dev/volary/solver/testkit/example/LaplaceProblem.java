// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit.example;

import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.IndexRange;
import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import dev.volary.solver.Subdomain;
import java.util.ArrayList;
import java.util.List;

/** Laplace's equation on n × n points, cut into strips of rows; u is 1 beyond the first row and 0 on the other sides. */
public final class LaplaceProblem implements Problem {
    private static final Parameter<Integer> N = Parameter.integer("points", "Points along each edge.", 16, 1, 10_000);

    @Override
    public String name() {
        return "laplace";
    }

    @Override
    public String summary() {
        return "Laplace's equation on a square, by point Jacobi.";
    }

    @Override
    public List<Parameter<?>> parameters() {
        return List.of(N);
    }

    @Override
    public Model open(ParameterValues values, Inputs inputs) {
        return new LaplaceModel(values.get(N));
    }

    private record LaplaceModel(int n) implements Model {
        @Override
        public Shape unknowns() {
            return Shape.of(n, n);
        }

        @Override
        public Decomposition decompose(int blocks) throws InvalidProblemException {
            if (blocks < 1 || blocks > n) {
                throw new InvalidProblemException("blocks", "is " + blocks, "use 1 to " + n + ", a strip needs a row");
            }
            List<Subdomain> parts = new ArrayList<>();
            List<Edge> edges = new ArrayList<>();
            for (int b = 0; b < blocks; b++) {
                long lo = (long) b * n / blocks * n;
                long hi = (b + 1L) * n / blocks * n;
                parts.add(new Subdomain(b, new IndexRange(lo, hi), 16 * (hi - lo), hi - lo));
                if (b > 0) {
                    edges.add(new Edge(b - 1, b, new IndexRange(lo - n, lo)));
                    edges.add(new Edge(b, b - 1, new IndexRange(lo, lo + n)));
                }
            }
            return new Decomposition(unknowns(), parts, edges);
        }

        @Override
        public Block block(Decomposition decomposition, int id, Resources resources) {
            boolean first = id == 0;
            boolean last = id == decomposition.blocks() - 1;
            return new Strip(n, decomposition.parts().get(id).core().size() / n, first, last);
        }

        @Override
        public double scale() {
            return 1;
        }

        @Override
        public double attainableFloor() {
            return 1e-14;
        }
    }

    /** Some rows, with a row above and below for the halos. */
    private static final class Strip implements Block {
        private final int n;
        private final int rows;
        private final boolean first;
        private final boolean last;
        private double[] u;
        private double[] next;

        Strip(int n, int rows, boolean first, boolean last) {
            this.n = n;
            this.rows = rows;
            this.first = first;
            this.last = last;
            this.u = new double[(rows + 2) * n];
            this.next = new double[(rows + 2) * n];
        }

        @Override
        public double iterate(Halos newest) {
            surround(u, newest);
            double change = 0;
            for (int i = n; i < n + rows * n; i++) {
                double defect = defect(u, i);
                next[i] = u[i] + defect / 4;
                change = Math.max(change, Math.abs(defect));
            }
            double[] old = u;
            u = next;
            next = old;
            return change;
        }

        @Override
        public Residual residual(double[] core, Halos recorded) {
            double[] x = new double[(rows + 2) * n];
            System.arraycopy(core, 0, x, n, rows * n);
            surround(x, recorded);
            Residual sum = Residual.ZERO;
            for (int i = n; i < n + rows * n; i++) {
                double defect = defect(x, i);
                sum = sum.combine(new Residual(Math.abs(defect), defect * defect, 0));
            }
            return sum;
        }

        /** Fills the row above and the row below: the strip above comes first among the halos. */
        private void surround(double[] x, Halos halos) {
            for (int column = 0; column < n; column++) {
                x[column] = first ? 1 : halos.values(0)[column];
                x[(rows + 1) * n + column] = last ? 0 : halos.values(halos.size() - 1)[column];
            }
        }

        private double defect(double[] x, int i) {
            double left = i % n == 0 ? 0 : x[i - 1];
            double right = i % n == n - 1 ? 0 : x[i + 1];
            return x[i - n] + left + right + x[i + n] - 4 * x[i];
        }

        @Override
        public void copyCore(double[] target) {
            System.arraycopy(u, n, target, 0, rows * n);
        }

        @Override
        public void setCore(double[] core, Halos halos) {
            System.arraycopy(core, 0, u, n, rows * n);
        }
    }
}
