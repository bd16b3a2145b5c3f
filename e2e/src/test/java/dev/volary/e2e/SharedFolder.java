// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A folder of this machine as a volume of the cluster: all nodes of the test bed have the machine's files.
 *
 * @param folder that workers may write as any user
 */
record SharedFolder(Path folder) {
    /** The name of the claim in each namespace. */
    static final String CLAIM = "checkpoints";

    static SharedFolder in(Path parent) throws IOException {
        Path folder = Files.createDirectory(parent.resolve("volume"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        return new SharedFolder(folder);
    }

    /** A volume of this name and the claim to it, in YAML, for the namespace of one job. */
    String claimed(String volume) {
        return """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: %1$s, labels: {volary.dev/e2e: "true"}}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteMany]
                  persistentVolumeReclaimPolicy: Retain
                  storageClassName: ""
                  hostPath: {path: %2$s, type: Directory}
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %3$s}
                spec:
                  accessModes: [ReadWriteMany]
                  storageClassName: ""
                  volumeName: %1$s
                  resources: {requests: {storage: 1Gi}}
                """.formatted(volume, folder, CLAIM);
    }

    static void delete(String volume) throws IOException, InterruptedException {
        Kubectl.run("delete", "persistentvolume", volume, "--wait=false", "--ignore-not-found");
    }
}
