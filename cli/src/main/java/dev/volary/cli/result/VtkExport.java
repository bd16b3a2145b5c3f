// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;

/** Writes results for ParaView: a result on a mesh as an unstructured grid (.vtu), any other as an image (.vti), a series as a collection (.pvd). */
public final class VtkExport {
    /** A grid, or a vector without coordinates. */
    public static final String IMAGE = ".vti";

    /** A mesh. */
    public static final String MESH = ".vtu";

    /** Several time steps. */
    public static final String SERIES = ".pvd";

    private VtkExport() {}

    /** The extension of the file for a single time step of a field. */
    public static String extension(ResultField field) {
        return field.mesh() == null ? IMAGE : MESH;
    }

    /**
     * Writes the only field of a result, of several time steps the last. The file appears under its name when it is complete.
     *
     * @param zarr the group {@code result.zarr}
     * @throws IOException if the result cannot be read, if its grid has more than three axes, if the file has an extension
     *     of another kind of result, or if it cannot be written
     */
    public static void write(Path zarr, Path file) throws IOException {
        ResultField field = ResultField.open(zarr);
        if (!file.toString().endsWith(extension(field))) {
            throw new IOException(file + " is no name for " + (field.mesh() == null ? "a grid" : "a mesh")
                    + "; name a file with the extension " + extension(field));
        }
        write(field, field.about().certifiedResidual(), file);
    }

    /**
     * Writes each time step of a result as a file {@code <name>-<step>} beside a collection {@code <name>.pvd}, which has
     * their times: ParaView opens it as a series.
     *
     * @param steps of a result, at least one
     * @param collection the file with the extension .pvd
     * @throws IOException as {@link #write(Path, Path)}
     */
    public static void writeSeries(List<ResultField.Step> steps, Path collection) throws IOException {
        String name = String.valueOf(collection.getFileName()).replaceFirst("[.]pvd$", "");
        int digits = String.valueOf(steps.getLast().step()).length();
        StringBuilder sets = new StringBuilder();
        for (ResultField.Step step : steps) {
            String file =
                    String.format(Locale.ROOT, "%s-%0" + digits + "d%s", name, step.step(), extension(step.field()));
            write(step.field(), step.residual(), collection.resolveSibling(file));
            sets.append("    <DataSet timestep=\"" + step.time() + "\" part=\"0\" file=\"" + file + "\"/>\n");
        }
        Path partial = collection.resolveSibling(collection.getFileName() + ".partial");
        Files.writeString(
                partial,
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
                        + "  <Collection>\n" + sets + "  </Collection>\n</VTKFile>\n");
        Files.move(partial, collection, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void write(ResultField field, double residual, Path file) throws IOException {
        if (field.mesh() == null) {
            VtkImage.write(field, residual, file);
        } else {
            VtkMesh.write(field, field.mesh(), residual, file);
        }
    }
}
