// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.field;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Shape;
import dev.volary.solver.npy.NpyArray;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An array in the inputs of a job that gives a number for each point of a grid, or several components of one. It is opened by
 * reading its shape only; a number is read where it is asked for. Safe to use from several threads.
 */
public final class GridField {
    /** Numbers beyond this, or nearer to zero than its inverse, could overflow in the products of a residual. */
    private static final double LARGEST = 1e100;

    private final String parameter;
    private final String reference;
    private final List<Integer> shape;
    private final NpyArray array;
    private volatile @Nullable Range range;

    /** The least and the greatest number of a field. */
    public record Range(double least, double greatest) {

        /** The largest magnitude. */
        public double magnitude() {
            return Math.max(Math.abs(least), Math.abs(greatest));
        }
    }

    private GridField(String parameter, String reference, List<Integer> shape, NpyArray array) {
        this.parameter = parameter;
        this.reference = reference;
        this.shape = shape;
        this.array = array;
    }

    /**
     * Declares the parameter that names the file of a field.
     *
     * @param rule the parameter that gives the field otherwise; the file's name is this one and {@code File}
     * @param documentation what the field is, with its shape
     */
    public static Parameter<String> parameter(Parameter<?> rule, String documentation) {
        return Parameter.optionalFile(
                rule.name() + "File", documentation + ": an .npy file of numpy.save, instead of " + rule.name() + ".");
    }

    /**
     * Opens the field that a job names; empty if it names none.
     *
     * @param rule the parameter that gives the field otherwise
     * @param shape which the array must have, in the order of the result's axes
     * @throws InvalidProblemException if both are given, or the file is missing or has another shape, type or order
     */
    public static Optional<GridField> find(
            ParameterValues values, Parameter<?> rule, Parameter<String> file, Inputs inputs, List<Integer> shape)
            throws InvalidProblemException {
        Optional<String> reference = values.find(file);
        if (reference.isEmpty()) {
            return Optional.empty();
        }
        if (values.isGiven(rule)) {
            throw new InvalidProblemException(
                    file.name(),
                    "is \"" + reference.get() + "\", but " + rule.name() + " is given too, as " + values.get(rule),
                    "remove one of them");
        }
        return Optional.of(open(file.name(), reference.get(), inputs, shape));
    }

    private static GridField open(String parameter, String reference, Inputs inputs, List<Integer> shape)
            throws InvalidProblemException {
        NpyArray array;
        try {
            array = NpyArray.open(inputs.resolve(reference));
        } catch (InvalidProblemException e) {
            throw new InvalidProblemException(
                    parameter, "is \"" + reference + "\", which cannot be used: " + e.getMessage(), "or remove it");
        }
        GridField field = new GridField(parameter, reference, List.copyOf(shape), array);
        if (!array.shape().equals(shape.stream().map(Integer::longValue).toList())) {
            throw field.refused(
                    "which is " + array.shapeText() + ", but this problem needs "
                            + Shape.of(
                                    shape.stream().mapToInt(Integer::intValue).toArray()),
                    "write an array of this shape, or change the number of points");
        }
        return field;
    }

    /** A number by its place in the array, counted from 0, the last axis the fastest. */
    public double at(long index) {
        return array.at(index);
    }

    /** Reads as many numbers as {@code target} has, from one place on. */
    public void read(long from, double[] target) {
        array.read(from, target);
    }

    /**
     * Reads the whole array, once.
     *
     * @throws InvalidProblemException if a number is not finite, or beyond 1e100
     */
    public Range range() throws InvalidProblemException {
        Range known = range;
        if (known == null) {
            known = read();
            range = known;
        }
        return known;
    }

    private Range read() throws InvalidProblemException {
        double least = Double.POSITIVE_INFINITY;
        double greatest = Double.NEGATIVE_INFINITY;
        double[] line = new double[shape.getLast()];
        for (long from = 0; from < array.size(); from += line.length) {
            array.read(from, line);
            for (int i = 0; i < line.length; i++) {
                if (!(Math.abs(line[i]) <= LARGEST)) {
                    throw Double.isFinite(line[i])
                            ? refuse(from + i, "scale the problem: numbers beyond 1e100 may overflow")
                            : refuse(from + i, "every number must be finite");
                }
                least = Math.min(least, line[i]);
                greatest = Math.max(greatest, line[i]);
            }
        }
        return new Range(least, greatest);
    }

    /**
     * The largest magnitude of a right-hand side.
     *
     * @throws InvalidProblemException if a number cannot be used, or all are zero or tiny
     */
    public double normOfRightHandSide() throws InvalidProblemException {
        double norm = range().magnitude();
        if (norm == 0) {
            throw refused(
                    "which is zero everywhere: so is the solution, and a relative tolerance means nothing",
                    "give a right-hand side that is not zero");
        }
        if (norm < 1 / LARGEST) {
            throw refused("which is " + number(norm) + " at most", "scale the problem: such numbers may underflow");
        }
        return norm;
    }

    /** As {@link #normOfRightHandSide}, of numbers that were found to be usable before. */
    public double checkedNorm() {
        try {
            return normOfRightHandSide();
        } catch (InvalidProblemException unchecked) {
            throw new IllegalStateException(unchecked);
        }
    }

    /**
     * Requires that every number is positive.
     *
     * @throws InvalidProblemException naming the first place of a number that is not, or is tiny
     */
    public void requirePositive() throws InvalidProblemException {
        if (range().least() >= 1 / LARGEST) {
            return;
        }
        for (long i = 0; i < array.size(); i++) {
            double value = array.at(i);
            if (value < 1 / LARGEST) {
                throw value > 0
                        ? refuse(i, "scale the problem: such numbers may underflow")
                        : refuse(i, "every number must be positive");
            }
        }
    }

    private InvalidProblemException refuse(long index, String remedy) {
        return refused("which is " + array.at(index) + " at " + place(index), remedy);
    }

    private InvalidProblemException refused(String finding, String remedy) {
        return new InvalidProblemException(parameter, "is \"" + reference + "\", " + finding, remedy);
    }

    /** A place as NumPy writes it, {@code [2, 0, 5]}. */
    private String place(long index) {
        long[] place = new long[shape.size()];
        long rest = index;
        for (int axis = place.length - 1; axis >= 0; axis--) {
            place[axis] = rest % shape.get(axis);
            rest /= shape.get(axis);
        }
        return Arrays.toString(place);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3g", value);
    }
}
