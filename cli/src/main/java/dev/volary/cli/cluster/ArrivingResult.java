package dev.volary.cli.cluster;

import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A result on its way into a folder: it stands in {@code .fetching} there until it is whole, so that {@code result.zarr} never
 * is a mixture of two results.
 *
 * @param target the folder
 */
record ArrivingResult(Path target) {
    private static final String RESULT = "result.zarr";

    /** Begins; what an interrupted fetch left behind is removed. */
    static ArrivingResult in(Path target) throws IOException {
        ArrivingResult arriving = new ArrivingResult(target);
        try {
            arriving.discard();
            Files.createDirectories(arriving.folder());
        } catch (IOException e) {
            throw new IOException(
                    target + " cannot be written to (" + e.getMessage() + "); name another folder with --output", e);
        }
        return arriving;
    }

    /** Where files are put. */
    Path folder() {
        return target.resolve(".fetching");
    }

    /** Where the result is at the end. */
    Path result() {
        return target.resolve(RESULT);
    }

    /**
     * The result is whole: gives it its name, in place of an older one.
     *
     * @return what it says about itself
     * @throws IOException if what has arrived is no result
     */
    ResultAttributes accept() throws IOException {
        Path arrived = folder().resolve(RESULT);
        ResultAttributes attributes =
                ResultAttributes.of(ZarrGroup.open(arrived).attributes());
        delete(result());
        Files.move(arrived, result());
        return attributes;
    }

    /** Removes what is not accepted. */
    void discard() throws IOException {
        delete(folder());
    }

    private static void delete(Path tree) throws IOException {
        if (Files.exists(tree)) {
            try (Stream<Path> all = Files.walk(tree)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
