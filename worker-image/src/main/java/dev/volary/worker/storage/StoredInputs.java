// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.storage;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.StoredInput;
import dev.volary.solver.InvalidProblemException;
import dev.volary.storage.BlobStore;
import dev.volary.storage.InputDownload;
import dev.volary.storage.InputFile;
import dev.volary.storage.InputRefusedException;
import dev.volary.storage.ObjectStore;
import dev.volary.storage.StorageRefusedException;
import java.io.IOException;
import java.nio.file.Path;

/** Brings the inputs of a job that are in object stores to this worker's disk. */
public final class StoredInputs {
    private static final String FOLDER = "inputs";

    private StoredInputs() {}

    /**
     * Fetches the files of all such inputs into the result folder; those that are there already stay.
     *
     * @return the description with the folders among its inputs
     * @throws InvalidProblemException with field, value and remedy, if a file is missing, is another one or does not fit on the disk, or
     *     the store refuses access
     * @throws IOException if a store cannot be reached now
     */
    public static JobDescription fetch(JobDescription job) throws IOException, InvalidProblemException {
        JobDescription.Builder with = job.toBuilder();
        for (StoredInput input : job.getStoredInputsList()) {
            Path folder = Path.of(job.getResultFolder()).resolve(FOLDER).resolve(input.getName());
            fetch(input, folder);
            with.putInputs(input.getName(), folder.toString());
        }
        return with.build();
    }

    private static void fetch(StoredInput input, Path folder) throws IOException, InvalidProblemException {
        try (BlobStore store = ObjectStore.open(DescribedStores.settings(input.getStore()))) {
            new InputDownload(input.getField(), store, folder)
                    .fetch(input.getFilesList().stream()
                            .map(file -> new InputFile(file.getName(), file.getSha256()))
                            .toList());
        } catch (InputRefusedException e) {
            throw new InvalidProblemException(e.field(), e.finding(), e.remedy());
        } catch (StorageRefusedException e) {
            throw new InvalidProblemException(
                    input.getField() + ".objectStore", "cannot be used: " + e.getMessage(), "then apply the job again");
        }
    }
}
