// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.GraphDecomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Mesh;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import dev.volary.solvers.linear.partition.Graph;
import dev.volary.solvers.linear.partition.GraphPartition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An opened linear system. Its scale is {@code ‖b‖∞}. Blocks iterate on equations that have one solution; residuals are those of the
 * given ones, which may determine it up to a constant.
 */
final class LinearModel implements Model {
    private final String source;
    private final SparseMatrix matrix;
    private final double[] right;
    /** Null if the blocks iterate on the given equations. */
    private final @Nullable SquareSystem given;

    private final double floorOfRight;
    private final LinearMethod method;
    private final int sweeps;
    private final boolean inRounds;
    private final @Nullable InputMesh mesh;
    private volatile double floorOfSolution;

    /**
     * @param source the matrix file, for messages
     * @param matrix the matrix
     * @param right finite, not all zero
     */
    LinearModel(String source, SparseMatrix matrix, double[] right, LinearMethod method, int sweeps) {
        this(source, matrix, right, method, sweeps, false);
    }

    /**
     * @param source the matrix file, for messages
     * @param right finite, not all zero
     * @param inRounds whether the equations may be solved in rounds, which need a regular matrix and no diagonal
     */
    LinearModel(String source, SparseMatrix matrix, double[] right, LinearMethod method, int sweeps, boolean inRounds) {
        this(source, matrix, right, null, 0, method, sweeps, inRounds, null);
    }

    private LinearModel(
            String source,
            SparseMatrix matrix,
            double[] right,
            @Nullable SquareSystem given,
            double floorOfRight,
            LinearMethod method,
            int sweeps,
            boolean inRounds,
            @Nullable InputMesh mesh) {
        this.source = source;
        this.matrix = matrix;
        this.right = right;
        this.given = given;
        this.floorOfRight = floorOfRight;
        this.method = method;
        this.sweeps = sweeps;
        this.inRounds = inRounds;
        this.mesh = mesh;
    }

    /** The same equations, with the places of their unknowns. */
    LinearModel on(InputMesh places) {
        return new LinearModel(source, matrix, right, given, floorOfRight, method, sweeps, inRounds, places);
    }

    /** The same equations, of which the blocks iterate on others with one solution. */
    LinearModel by(PinnedSystem system) {
        return new LinearModel(
                source,
                system.matrix(),
                system.right(),
                given(),
                system.floor() / scale(),
                method,
                sweeps,
                inRounds,
                mesh);
    }

    @Override
    public String field() {
        return "x";
    }

    @Override
    public Shape unknowns() {
        return Shape.of(matrix.size());
    }

    @Override
    public Optional<Mesh> mesh() {
        return Optional.ofNullable(mesh);
    }

    /** Partitions the graph of A + Aᵀ, balanced by the number of entries. */
    @Override
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        requireBlocks(blocks);
        requireDiagonal();
        return cut(blocks);
    }

    /**
     * The block that owns each row.
     *
     * @throws InvalidProblemException if there are more blocks than rows
     */
    int[] owners(int blocks) throws InvalidProblemException {
        requireBlocks(blocks);
        return partition(blocks);
    }

    private int[] partition(int blocks) {
        return GraphPartition.of(Graph.of(matrix), blocks);
    }

    private void requireBlocks(int blocks) throws InvalidProblemException {
        int n = matrix.size();
        if (blocks < 1 || blocks > n) {
            throw new InvalidProblemException(
                    "blocks",
                    "is " + blocks + ", but " + source + " has " + n + " unknowns",
                    "use 1 to " + n + " blocks");
        }
    }

    /** Relaxation divides by the diagonal, or needs it for its certificate. */
    private void requireDiagonal() throws InvalidProblemException {
        double[] diagonal = matrix.diagonal();
        for (int row = 0; row < diagonal.length; row++) {
            if (diagonal[row] == 0) {
                throw new InvalidProblemException(
                        source,
                        "has a zero diagonal in row " + (row + 1) + ", which method " + method + " cannot use",
                        "use method: Schwarz and at most 64 blocks, or permute the rows so that every diagonal entry is nonzero");
            }
        }
    }

    private Decomposition cut(int blocks) {
        return GraphDecomposition.of(matrix.rowStart(), matrix.columns(), partition(blocks), blocks, this::footprint);
    }

    /** The matrix file, for messages. */
    String source() {
        return source;
    }

    /** The matrix that the blocks iterate on. */
    SparseMatrix matrix() {
        return matrix;
    }

    /** The right-hand side that the blocks iterate on. */
    double[] right() {
        return right;
    }

    /** The equations whose residual is certified. */
    SquareSystem given() {
        return given == null ? new SquareSystem(matrix, right) : given;
    }

    /**
     * Rows, vectors and, for a direct solve, an estimate of the factors: nested dissection of a planar graph fills in
     * O(n log n) entries (George 1973), here 8 n log₂ n, and EJML's storage is up to twice what it holds.
     */
    private long footprint(int rows, long entries, int halo) {
        long bytes = 12 * entries + 36L * rows + 8L * halo;
        return method == LinearMethod.Direct ? bytes + factorBytes(rows, entries) : bytes;
    }

    /** Estimated memory of the factors of a block. */
    static long factorBytes(int rows, long entries) {
        double fill = Math.min(8.0 * rows * (1 + Math.log(rows) / Math.log(2)), (double) rows * rows);
        return (long) (24 * Math.max(fill, (double) entries));
    }

    @Override
    public Block block(Decomposition decomposition, int id, Resources resources) throws InvalidProblemException {
        BlockRows rows = BlockRows.of(matrix, right, decomposition, id);
        LocalSolver solve = LocalSolver.of(rows, method, sweeps)
                .orElseThrow(() -> new InvalidProblemException(
                        source,
                        "has a singular diagonal block (block " + id + " of " + decomposition.blocks() + ")",
                        "use another number of blocks, or method: GaussSeidel"));
        BlockRows certificate = given == null ? rows : BlockRows.of(given.matrix(), given.right(), decomposition, id);
        return new LinearBlock(rows, certificate, solve, decomposition, id);
    }

    @Override
    public double scale() {
        return maxNorm(given().right());
    }

    /**
     * Reads the mesh, if there is one. For equations that may be solved in rounds: whether the matrix is singular, where its factors are
     * affordable.
     */
    @Override
    public void selfCheck() throws InvalidProblemException {
        if (mesh != null) {
            mesh.check();
        }
        if (!inRounds) {
            return;
        }
        SingularityCheck.ofConstants(source, matrix);
        Optional<WholeSolution> whole = WholeSolution.of(matrix);
        if (whole.isPresent()) {
            SingularityCheck.of(source, whole.get());
            floorOfSolution = whole.get()
                    .of(right)
                    .map(x -> AttainableFloor.of(matrix, right, x))
                    .orElse(0.0);
        }
    }

    @Override
    public double attainableFloor() {
        return Math.max(floorOfRight, Math.max(floorOfSolution, AttainableFloor.of(matrix, right)));
    }

    @Override
    public Optional<String> method(Decomposition decomposition) {
        return Optional.of(method.name());
    }

    @Override
    public Optional<Preflight> preflight(Decomposition decomposition) {
        return Optional.of(new ConvergenceCertificate(matrix, decomposition, this::cut, method, sweeps).preflight());
    }

    /** Whether relaxation of points, and so of every partition, converges under every schedule: an H-matrix. */
    boolean isCertified() {
        if (SquareSystem.hasZeroDiagonal(matrix)) {
            return false;
        }
        RelaxationBounds bounds = new RelaxationBounds(matrix);
        return bounds.provedByDominance() || bounds.ofPoints().upper() < 1;
    }

    static double maxNorm(double[] vector) {
        double norm = 0;
        for (double v : vector) {
            norm = Math.max(norm, Math.abs(v));
        }
        return norm;
    }
}
