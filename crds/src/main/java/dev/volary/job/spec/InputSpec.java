// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A folder with input files. */
@ValidationRule(
        value = "[has(self.path), has(self.persistentVolumeClaim), has(self.objectStore)].exists_one(given, given)",
        messageExpression =
                "'input \"%s\" has %s'.format([self.name, has(self.path) || has(self.persistentVolumeClaim) || has(self.objectStore) ? 'more than one source; keep one of path, persistentVolumeClaim and objectStore' : 'no source; give objectStore, persistentVolumeClaim (on a cluster) or path (a local folder)'])")
@ValidationRule(
        value = "has(self.objectStore) == (has(self.files) && size(self.files) > 0)",
        messageExpression =
                "'input \"%s\" has %s'.format([self.name, has(self.objectStore) ? 'objectStore, but no files; list name and sha256 of each file to fetch' : 'files, but no objectStore to fetch them from; remove files'])")
public record InputSpec(
        @Required
        @Size(min = 1, max = 63) @JsonPropertyDescription("What parameters write before the colon: lower case letters, digits and dashes.")
        @ValidationRule(
                value = CelRules.LABEL,
                messageExpression = "'name is \"%s" + CelRules.LABEL_REMEDY + ".format([self])")
        String name,

        @Size(max = 4096) @JsonPropertyDescription(
                "A folder beside the manifest, for local runs; on a cluster a job with such an input waits"
                        + " with a condition that says so.")
        @ValidationRule(value = "self.trim() != ''", message = "path is blank; name a folder")
        @Nullable String path,

        @JsonPropertyDescription("A volume that holds the files; workers mount it read-only.") @Nullable ClaimSpec persistentVolumeClaim,

        @JsonPropertyDescription(
                "An object store that holds the files below its prefix; each worker, and a local run, fetches those of `files`.")
        @Nullable ObjectStoreSpec objectStore,

        @Size(max = 32) @JsonPropertyDescription("The files to fetch from objectStore.")
        @ValidationRule(
                value = "self.all(x, self.exists_one(y, y.name == x.name))",
                messageExpression =
                        "'files has two entries of one name among %s; rename one of them'.format([self.map(x, x.name)])")
        List<InputFileSpec> files) {

    public InputSpec {
        files = Defaults.list(files);
    }
}
