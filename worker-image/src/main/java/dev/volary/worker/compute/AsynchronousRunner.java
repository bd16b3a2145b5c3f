package dev.volary.worker.compute;

import dev.volary.mesh.NewestLink;
import java.util.List;

/** Asynchronous scheme: the newest halos there are, never a wait. */
final class AsynchronousRunner extends BlockRunner {
    private final List<NewestLink> inlets;
    private final HaloSet halos;
    private final Settling settling;
    private boolean resting;

    /**
     * @param inlets incoming edges, in the order of the solver's halos
     */
    AsynchronousRunner(Setup setup, List<NewestLink> inlets, HaloSet halos, double tolerance, RunnerListener listener) {
        super(setup, listener);
        this.inlets = inlets;
        this.halos = halos;
        this.settling = new Settling(tolerance);
    }

    @Override
    Turn advance() {
        boolean fresh = takeNewest();
        if (fresh) {
            settling.refreshed();
            resting = false;
            haloAges(halos);
        } else if (settling.settled(hint())) {
            if (!resting) {
                resting = true;
                publish(completed(), true);
            }
            return Turn.IDLE;
        }
        if (!iterate(halos, false)) {
            return Turn.DONE;
        }
        settling.iterated(hint());
        return Turn.WORKED;
    }

    private boolean takeNewest() {
        boolean fresh = false;
        for (int k = 0; k < inlets.size(); k++) {
            NewestLink inlet = inlets.get(k);
            if (inlet.take()) {
                halos.taken(k, inlet, completed());
                fresh = true;
            } else {
                halos.stale(k);
            }
        }
        return fresh;
    }
}
