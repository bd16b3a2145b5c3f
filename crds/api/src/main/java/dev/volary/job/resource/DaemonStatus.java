// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;

/** Daemons by what they do. */
public record DaemonStatus(
        @JsonPropertyDescription("How many should compute.") int desired,

        @StatusReplicas @JsonPropertyDescription("Pods of daemons that are there, standbys not included.")
        int replicas,

        @JsonPropertyDescription("How many compute.") int ready,

        @JsonPropertyDescription("How many wait for a block.")
        int standby) {}
