// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.config.TreeRules;
import dev.volary.protocol.halo.HaloOrder;
import dev.volary.protocol.halo.StepRelation;
import dev.volary.protocol.machine.Action;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.spawner.SpawnerMachine;
import dev.volary.solver.Residual;
import java.util.Optional;

/** How a simulation is put together; tests plant bugs here and see them caught. */
public class TestHooks {

    public SpawnerMachine spawner(Member self, JobGraph graph, SpawnerConfig config, long seed) {
        return new SpawnerMachine(self, graph, config, seed);
    }

    public TreeRules tree() {
        return TreeRules.standard();
    }

    public HaloOrder.Verdict order(HaloOrder order, BlockVersion key) {
        return order.offer(key);
    }

    /** What a halo of another step is to a block. */
    public StepRelation fit(int own, int halo) {
        return StepRelation.of(own, halo);
    }

    /** What a block commits: the recorded values that it was told to, whatever it has iterated. */
    public double[] committed(double[] recorded, double[] iterate) {
        return recorded;
    }

    /** Whether a part is in the sink once its daemon says so. */
    public boolean storesAtOnce() {
        return true;
    }

    /** What a daemon answers for a recorded block. */
    public PartialResidual evaluated(Residual residual, double localHint) {
        return new PartialResidual(residual.maxNorm(), residual.sumOfSquares(), residual.roundoff());
    }

    /** What travels when a machine sends this. */
    public Message sent(Message message) {
        return message;
    }

    /** Whether a holder takes a backup, while it or another one keeps a copy of this age. */
    public boolean keeps(Optional<BlockVersion> newest, BlockVersion offered) {
        return newest.filter(known -> known.incarnation().compareTo(offered.incarnation()) > 0)
                .isEmpty();
    }

    /** What a search for a block's newest copy takes to exist. */
    public Optional<BackupVersion> known(Optional<BackupVersion> told) {
        return told;
    }

    /** Whether a worker does what its machine wants. */
    public boolean does(Action action) {
        return true;
    }
}
