// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.job;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.volary.mesh.v1.JobDescription;
import java.io.IOException;

/** A job's description as the text of a file: protobuf's canonical JSON. */
public final class JobDescriptionFile {
    private JobDescriptionFile() {}

    /** As JSON. */
    public static String write(JobDescription job) {
        try {
            return JsonFormat.printer().print(job);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("a description without any-typed fields can always be printed", e);
        }
    }

    /**
     * From JSON.
     *
     * @throws IOException if it is none, or has a field this version does not know
     */
    public static JobDescription read(String json) throws IOException {
        JobDescription.Builder job = JobDescription.newBuilder();
        try {
            JsonFormat.parser().merge(json, job);
        } catch (InvalidProtocolBufferException e) {
            throw new IOException(
                    "the job's description cannot be read: " + e.getMessage() + "; use matching versions", e);
        }
        return job.build();
    }
}
