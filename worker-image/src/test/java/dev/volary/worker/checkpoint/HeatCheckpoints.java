// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage.StoredPart;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InputFolders;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * A job about heat on a square in two blocks, and its checkpoints.
 *
 * @param points along each edge
 */
record HeatCheckpoints(int points) {
    static final int BLOCKS = 2;

    /** The values of a block. */
    interface Values {
        double[] of(int block) throws Exception;
    }

    /** The job, without a place for checkpoints. */
    JobDescription.Builder job(String uid) {
        return JobDescription.newBuilder()
                .setName("heat")
                .setUid(uid)
                .setProblem("heat2d")
                .putParameters(
                        "points", ParameterValue.newBuilder().setWhole(points).build())
                .setBlocks(BLOCKS);
    }

    JobCheckpoints open(JobDescription.Builder job) throws Exception {
        return JobCheckpoints.open(job.build(), decomposition(), 0).orElseThrow();
    }

    /** Stores the parts of a snapshot; returns the record of them. */
    static CommittedStep store(JobCheckpoints checkpoints, long sid, Values of) throws Exception {
        List<StoredPart> parts = new ArrayList<>();
        for (int block = 0; block < BLOCKS; block++) {
            double[] values = of.of(block);
            int checksum = checkpoints.store(sid, block, values, values.length);
            Incarnation incarnation = new Incarnation(new GroupTerm(1, new WorkerId(1)), 1);
            parts.add(new StoredPart(new RecordedBlock(block, incarnation, block), checksum));
        }
        return new CommittedStep(0, sid, 1e-3, parts);
    }

    Decomposition decomposition() throws InvalidProblemException {
        Problem heat = ServiceLoader.load(Problem.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(problem -> problem.name().equals("heat2d"))
                .findFirst()
                .orElseThrow();
        return heat.open(ParameterValues.of(heat.parameters(), Map.of("points", points)), new InputFolders(Map.of()))
                .decompose(BLOCKS);
    }
}
