// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;

/**
 * What a spawner knows of its job, for people and programs outside it.
 *
 * @param leader the leader, if there is one
 * @param term of the leader
 * @param leads whether this spawner does
 * @param planned whether its group has blocks, so that the job runs
 * @param over whether the job is over
 * @param hasTimeSteps whether its problem has time steps
 * @param spawners others that it knows
 * @param daemons of its group, standbys included
 * @param progress of all daemons of the job if it leads, else of its group
 * @param blocks of its group
 * @param parked those of them that no daemon serves
 */
public record SpawnerView(
        Optional<WorkerId> leader,
        long term,
        boolean leads,
        boolean planned,
        boolean over,
        boolean hasTimeSteps,
        List<Member> spawners,
        List<Member> daemons,
        List<ProgressMessage.DaemonReport> progress,
        List<Integer> blocks,
        List<Integer> parked) {

    public SpawnerView {
        spawners = List.copyOf(spawners);
        daemons = List.copyOf(daemons);
        progress = List.copyOf(progress);
        blocks = List.copyOf(blocks);
        parked = List.copyOf(parked);
    }
}
