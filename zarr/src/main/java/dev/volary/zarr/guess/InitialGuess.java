// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr.guess;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Region;
import dev.volary.solver.Shape;
import dev.volary.solver.npy.NpyArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A vector in the inputs of a job that its blocks start from: the result of a job with the same unknowns, or an array of NumPy. It
 * is opened by reading its shape only; {@link #read} keeps nothing but the values of one region on the heap. Immutable.
 */
public final class InitialGuess {
    /** The field of the manifest. */
    public static final String FIELD = "spec.initialGuess";

    private static final String ARRAY = ".npy";

    private final String reference;
    private final Shape shape;
    private final StoredVector values;

    private InitialGuess(String reference, Shape shape, StoredVector values) {
        this.reference = reference;
        this.shape = shape;
        this.values = values;
    }

    /**
     * Opens the guess of a job.
     *
     * @param reference {@code name:file.npy}, or {@code name:folder} for the folder of a result, {@code result.zarr}
     * @param model whose unknowns it must have
     * @throws InvalidProblemException naming {@link #FIELD}, its value, the finding and the remedy
     */
    public static InitialGuess open(String reference, Inputs inputs, Model model) throws InvalidProblemException {
        if (model.timeStepping().isPresent()) {
            throw refused(
                    reference,
                    "but the problem marches in time from its own initial values",
                    "remove it; each time step starts from the last one");
        }
        Shape shape = model.unknowns();
        try {
            StoredVector values;
            if (reference.endsWith(ARRAY)) {
                values = new NpyVector(NpyArray.open(inputs.resolve(reference)));
            } else {
                Path group = inputs.resolve(reference + "/zarr.json")
                        .resolveSibling(".")
                        .normalize();
                values = new ZarrVector(ZarrGroup.open(group), model.field());
            }
            requireShape(reference, shape, values.shapeText());
            return new InitialGuess(reference, shape, values);
        } catch (InvalidProblemException e) {
            throw e.subject().equals(FIELD) ? e : refused(reference, "which cannot be used", e);
        } catch (IOException e) {
            throw refused(reference, "which cannot be read", e);
        }
    }

    private static void requireShape(String reference, Shape shape, String given) throws InvalidProblemException {
        if (!given.equals(shape.toString())) {
            throw refused(
                    reference,
                    "which is " + given + ", but this problem has " + shape + " unknowns",
                    "name a result of the same problem, or an array of this shape");
        }
    }

    /**
     * The values of a region, in its order.
     *
     * @throws InvalidProblemException if the file is damaged, or a value is missing or not finite
     */
    public double[] read(Region region) throws InvalidProblemException {
        double[] read;
        try {
            read = values.read(region, shape);
        } catch (IOException e) {
            throw refused(reference, "which cannot be read", e);
        }
        for (double value : read) {
            if (!Double.isFinite(value)) {
                throw refused(reference, "which has the value " + value, "every number must be finite");
            }
        }
        return read;
    }

    private static InvalidProblemException refused(String reference, String finding, Exception cause) {
        return refused(reference, finding + ": " + cause.getMessage(), "or remove it");
    }

    private static InvalidProblemException refused(String reference, String finding, String remedy) {
        return new InvalidProblemException(FIELD, "is \"" + reference + "\", " + finding, remedy);
    }
}
