// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ObjectStore;
import dev.volary.mesh.v1.StoredFile;
import dev.volary.mesh.v1.StoredInput;
import dev.volary.solver.InvalidProblemException;
import dev.volary.storage.BlobStore;
import dev.volary.storage.testkit.S3Server;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredInputsTest {
    /** {@code printf abc | sha256sum}. */
    private static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @TempDir
    Path folder;

    @Test
    void aWorkerFetchesItsInputsAndNamesFieldValueAndRemedyIfItCannot() throws Exception {
        Files.writeString(folder.resolve("accessKeyId"), "test");
        Files.writeString(folder.resolve("secretAccessKey"), "test");
        try (S3Server server = S3Server.start(folder.resolve("s3.log"))) {
            ObjectStore described = ObjectStore.newBuilder()
                    .setEndpoint(server.endpoint().toString())
                    .setBucket(S3Server.BUCKET)
                    .setPrefix("matrices")
                    .setCredentialsFolder(folder.toString())
                    .build();
            try (BlobStore store = dev.volary.storage.ObjectStore.open(DescribedStores.settings(described))) {
                store.put("A.mtx", "abc".getBytes(StandardCharsets.UTF_8));
            }
            JobDescription fetched = StoredInputs.fetch(job(described, "A.mtx", ABC));
            Path input = Path.of(fetched.getInputsOrThrow("in"));
            assertEquals("abc", Files.readString(input.resolve("A.mtx")));

            refuses(
                    job(described, "A.mtx", ABC.replace('b', 'c')),
                    "spec.inputs[3].files[0].sha256 is " + ABC.replace('b', 'c')
                            + ", but s3://results/matrices/A.mtx has " + ABC
                            + "; store the right file there, or correct the checksum");
            refuses(
                    job(described, "B.mtx", ABC),
                    "spec.inputs[3].files[0].name is \"B.mtx\", but there is no s3://results/matrices/B.mtx; store the"
                            + " file there, or correct name, prefix or bucket");
            refuses(
                    job(described.toBuilder().setBucket("absent").build(), "B.mtx", ABC),
                    "spec.inputs[3].objectStore names storage that refuses access: s3://absent/matrices/B.mtx: the object"
                            + " store answers 404 (NoSuchBucket: The specified bucket does not exist); create the bucket, or"
                            + " correct its name or the endpoint; then start the job again");
            Files.delete(folder.resolve("accessKeyId"));
            refuses(
                    job(described, "B.mtx", ABC),
                    "spec.inputs[3].objectStore cannot be used: the credentials of the object store lack accessKeyId; their"
                            + " Secret must have accessKeyId and secretAccessKey; then apply the job again");
        }
    }

    private static void refuses(JobDescription job, String message) {
        assertEquals(
                message,
                assertThrows(InvalidProblemException.class, () -> StoredInputs.fetch(job))
                        .getMessage());
    }

    private JobDescription job(ObjectStore store, String name, String sha256) {
        return JobDescription.newBuilder()
                .setResultFolder(folder.resolve("out").toString())
                .addStoredInputs(StoredInput.newBuilder()
                        .setName("in")
                        .setField("spec.inputs[3]")
                        .setStore(store)
                        .addFiles(StoredFile.newBuilder().setName(name).setSha256(sha256)))
                .build();
    }
}
