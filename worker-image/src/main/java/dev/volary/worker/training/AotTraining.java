// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.training;

import dev.volary.mesh.arbiter.MemoryArbiter;
import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.job.JobDescriptionFile;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.v1.ChildToParent;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.JobEvent;
import dev.volary.mesh.v1.Member;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.mesh.v1.ParentToChild;
import dev.volary.mesh.v1.Role;
import dev.volary.mesh.v1.Spawners;
import dev.volary.mesh.v1.Start;
import dev.volary.mesh.v1.StopWorker;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.worker.local.PipeHostChannel;
import dev.volary.worker.local.WorkerMain;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Runs whole jobs inside one JVM that sends their workers messages over pipes, as for local workers: what the AOT caches of an installation are trained
 * with, for all roles at once. In one JVM, because whichever worker leads, dials or is dialled, its classes are seen.
 */
final class AotTraining {
    private static final String HOST = "127.0.0.1";
    private static final long PATIENCE_SECONDS = 60;

    private static final ParentToChild STOP = ParentToChild.newBuilder()
            .setStop(StopWorker.newBuilder().setReason("the job is over"))
            .build();

    /** Of a lasting job: until then all blocks have copies, and the daemons have watched each other for a while. */
    private static final int REPORTS_BEFORE_LOSS = 4;

    private record ReceivedMessage(Trainee worker, ChildToParent message) {}

    private final CertificateAuthority authority;
    private final JobDescription job;
    private final boolean losesDaemon;
    private final MemoryArbiter arbiter = new MemoryArbiter();
    private final LinkedBlockingQueue<ReceivedMessage> received = new LinkedBlockingQueue<>();
    private final List<Trainee> workers = new ArrayList<>();
    private final Spawners.Builder spawners = Spawners.newBuilder();
    private int reports;

    /** @param losesDaemon whether a daemon ends while it computes, and a standby continues its block */
    private AotTraining(JobDescription job, boolean losesDaemon) throws GeneralSecurityException {
        this.job = job;
        this.losesDaemon = losesDaemon;
        this.authority = new CertificateAuthority(job.getNamespace(), job.getName());
    }

    /**
     * Takes the job's description as a file, the folder for its result, and {@code store} if the classes of jobs that last shall
     * be seen too: those of the backup store, of daemons that watch each other, and of a standby that continues a block.
     */
    public static void main(String[] args) throws Exception {
        JobDescription job = JobDescriptionFile.read(Files.readString(Path.of(args[0]))).toBuilder()
                .setResultFolder(args[1])
                .build();
        AotTraining training = new AotTraining(job, false);
        training.run();
        if (args.length > 2 && args[2].equals("store")) {
            new AotTraining(lasting(job), true).run();
            StoreTraining.run(training.authority.issue("daemon", "store"));
        }
        System.exit(0); // an AOT cache is written by an orderly exit only
    }

    /** Point relaxation at a pace at which it takes about ten seconds. */
    private static JobDescription lasting(JobDescription job) {
        return job.toBuilder()
                .setProblem("obstacle3d")
                .clearParameters()
                .putParameters(
                        "points", ParameterValue.newBuilder().setWhole(15).build())
                .putParameters("data", text("Membrane"))
                .putParameters("method", text("Relaxation"))
                .setBlocks(2)
                .setExpectedDaemons(2)
                .setCopies(2)
                .setStoreAfterMillis(200)
                .putIterationMicros("*", 20_000)
                .build();
    }

    private static ParameterValue text(String value) {
        return ParameterValue.newBuilder().setText(value).build();
    }

    private void run() throws IOException, GeneralSecurityException, InterruptedException {
        for (int i = 0; i < job.getExpectedSpawners(); i++) {
            start(Role.ROLE_SPAWNER, "spawner-" + i);
        }
        for (int i = 0; i < job.getExpectedDaemons(); i++) {
            start(Role.ROLE_DAEMON, "daemon-" + i);
        }
        while (true) {
            ReceivedMessage next = received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new IllegalStateException("the training job does not end");
            }
            ChildToParent message = next.message();
            switch (message.getPayloadCase()) {
                case READY -> ready(message.getReady().getMember());
                case READ_ARBITER -> next.worker().send(arbiter());
                case COMPARE_AND_SET -> {
                    arbiter.compareAndSet(
                            LocalCodec.read(message.getCompareAndSet().getExpected()),
                            LocalCodec.read(message.getCompareAndSet().getNext()));
                    next.worker().send(arbiter());
                }
                case FAILURE -> throw new IllegalStateException(message.getFailure());
                case FINISHED -> {
                    JobOutcome outcome = LocalCodec.read(message.getFinished());
                    if (!(outcome instanceof JobOutcome.Certified)) {
                        throw new IllegalStateException("the training job ended with " + outcome);
                    }
                    end();
                    return;
                }
                case EVENT -> {
                    if (losesDaemon) {
                        happened(message.getEvent());
                    }
                }
                case LINKS, RECORDED, PAYLOAD_NOT_SET -> {}
            }
        }
    }

    private void happened(JobEvent event) throws IOException, GeneralSecurityException, InterruptedException {
        switch (event.getEventCase()) {
            case ALL_ITERATING -> start(Role.ROLE_DAEMON, "standby");
            case PROGRESS -> {
                reports++;
                if (reports == REPORTS_BEFORE_LOSS) {
                    Trainee lost = workers.remove(job.getExpectedSpawners());
                    lost.send(STOP);
                    lost.join();
                }
            }
            default -> {}
        }
    }

    private void start(Role role, String name) throws IOException, GeneralSecurityException {
        Trainee worker = new Trainee(Pipe.open(), Pipe.open());
        workers.add(worker);
        boolean isSpawner = role == Role.ROLE_SPAWNER;
        worker.send(ParentToChild.newBuilder()
                .setStart(Start.newBuilder()
                        .setJob(job)
                        .setIdentity(authority
                                .issue(isSpawner ? "spawner" : "daemon", name)
                                .toPem())
                        .setNodeId(workers.size())
                        .setRole(role)
                        .setName(name)
                        .setCores(1)
                        .setMemoryBytes(Runtime.getRuntime().maxMemory() / 16)
                        .setHost(HOST))
                .build());
        thread(name, worker::work);
        thread("listen-" + name, () -> worker.listen(received));
    }

    private static void thread(String name, Runnable run) {
        Thread.ofPlatform().daemon().name(name).start(run);
    }

    /** As the parent of a local run does it: workers receive the list of spawners once all of them are up. */
    private void ready(Member worker) {
        if (worker.getRole() == Role.ROLE_SPAWNER) {
            spawners.addMembers(worker);
        }
        if (spawners.getMembersCount() == job.getExpectedSpawners()) {
            ParentToChild discovery =
                    ParentToChild.newBuilder().setSpawners(spawners).build();
            workers.forEach(each -> each.send(discovery));
        }
    }

    private ParentToChild arbiter() {
        return ParentToChild.newBuilder()
                .setArbiter(LocalCodec.write(arbiter.read()))
                .build();
    }

    private void end() throws InterruptedException {
        for (Trainee worker : workers) {
            worker.send(STOP);
        }
        for (Trainee worker : workers) {
            worker.join();
        }
    }

    /** A worker on threads of its own. */
    private static final class Trainee {
        private final Pipe toWorker;
        private final Pipe fromWorker;
        private final CountDownLatch over = new CountDownLatch(1);

        Trainee(Pipe toWorker, Pipe fromWorker) {
            this.toWorker = toWorker;
            this.fromWorker = fromWorker;
        }

        void work() {
            InputStream in = Channels.newInputStream(toWorker.source());
            OutputStream out = Channels.newOutputStream(fromWorker.sink());
            WorkerMain.serve(new PipeHostChannel(in, out), () -> {});
            over.countDown();
        }

        void listen(LinkedBlockingQueue<ReceivedMessage> received) {
            try (InputStream in = Channels.newInputStream(fromWorker.source())) {
                for (ChildToParent message = ChildToParent.parseDelimitedFrom(in);
                        message != null;
                        message = ChildToParent.parseDelimitedFrom(in)) {
                    received.add(new ReceivedMessage(this, message));
                }
            } catch (IOException broken) {
                throw new IllegalStateException(broken);
            }
        }

        void send(ParentToChild message) {
            try {
                message.writeDelimitedTo(Channels.newOutputStream(toWorker.sink()));
            } catch (IOException broken) {
                throw new IllegalStateException(broken);
            }
        }

        void join() throws InterruptedException {
            if (!over.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a worker of the training job does not end");
            }
        }
    }
}
