package dev.volary.worker;

import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.protocol.Action;
import dev.volary.protocol.Event;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Machine;
import dev.volary.protocol.Member;
import dev.volary.protocol.Scheme;
import dev.volary.protocol.spawner.JobConfig;
import dev.volary.protocol.spawner.Recovery;
import dev.volary.protocol.spawner.SpawnerMachine;
import dev.volary.worker.sink.ResultAssembler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a spawner does beyond deciding: as the lead it puts the result together. */
final class SpawnerRuntime implements ActionHandler {
    private final JobDescription job;
    private final OpenedProblem problem;
    private final Inbox inbox;
    private final Background background;

    SpawnerRuntime(JobDescription job, OpenedProblem problem, ParentChannel parent, Inbox inbox) {
        this.job = job;
        this.problem = problem;
        this.inbox = inbox;
        this.background = new Background(broken -> parent.failure("assembling the result failed: " + broken));
    }

    @Override
    public Machine machine(Member self, JobShape shape) {
        JobConfig config = JobConfig.of(job.getExpectedDaemons(), job.getExpectedSpawners(), job.getAbsoluteTolerance())
                .withFormation(Duration.ofMillis(job.getFormationMillis()), job.getExpectedDaemons());
        if (job.getDeadlineMillis() > 0) {
            config = config.withDeadline(Duration.ofMillis(job.getDeadlineMillis()));
        }
        if (LocalCodec.read(job.getScheme()) == Scheme.SYNCHRONOUS) {
            config = config.withRecovery(Recovery.STANDARD.allOrNothing());
        }
        return new SpawnerMachine(self, shape, config, job.getSeed());
    }

    @Override
    public void handle(Action action) {
        switch (action) {
            case Action.AssembleResult assemble -> background.run(() -> assemble(assemble));
            // Spawners compute nothing, so there is nothing to stop.
            case Action.StopComputing() -> {}
            default -> throw new IllegalStateException("a spawner cannot " + action);
        }
    }

    private void assemble(Action.AssembleResult order) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("job", job.getName());
        attributes.put("problem", job.getProblem());
        attributes.put("snapshot", order.sid());
        attributes.put("certified", order.certified());
        attributes.put("certified_residual", order.residual() / job.getScale());
        attributes.put("certified_residual_absolute", order.residual());
        attributes.put("tolerance", job.getAbsoluteTolerance() / job.getScale());
        try {
            new ResultAssembler(Path.of(job.getResultFolder()), problem.decomposition(), job.getField())
                    .assemble(order.sid(), order.parts(), attributes);
            inbox.offer(new Event.ResultAssembled(order.sid()));
        } catch (IOException e) {
            inbox.offer(new Event.AssemblyBroken(String.valueOf(e.getMessage())));
        }
    }

    @Override
    public void close() {
        background.close();
    }
}
