// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.Mesh;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.spawnerapi.PartPieces;
import dev.volary.mesh.spawnerapi.SpawnerApi;
import dev.volary.mesh.spawnerapi.SpawnerGrpcService;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.v1.Certified;
import dev.volary.mesh.v1.CheckpointReply;
import dev.volary.mesh.v1.DeliveredPart;
import dev.volary.mesh.v1.FetchReply;
import dev.volary.mesh.v1.FetchRequest;
import dev.volary.mesh.v1.Outcome;
import dev.volary.mesh.v1.TlsIdentity;
import dev.volary.protocol.message.SnapshotMessage.StoredPart;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Shape;
import dev.volary.solver.Subdomain;
import dev.volary.worker.result.FilePartRepository;
import dev.volary.worker.result.ZarrResultWriter;
import dev.volary.zarr.ResultAttributes;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * A process with the storage of a spawner, and no more: receives parts, assembles the result once it is asked to checkpoint, serves it.
 * Arguments: folder, file with its identity, kind of the decomposition. Prints its port.
 */
final class SmallHeapSpawner {
    /** 6144 · 6400 values are 300 MiB. */
    static final Shape SHAPE = Shape.of(6144, 6400);

    static final int BLOCKS = 4;
    static final long SID = 9;

    private SmallHeapSpawner() {}

    /** Rows of the grid; if they are irregular, blocks are no chunks of the result. */
    static Decomposition decomposition(boolean isRegular) {
        List<Subdomain> parts = new ArrayList<>();
        int rows = SHAPE.extent(0) / BLOCKS;
        int first = 0;
        for (int block = 0; block < BLOCKS; block++) {
            int next = block == BLOCKS - 1 ? SHAPE.extent(0) : first + rows + (isRegular ? 0 : 7 * block - 9);
            Box core = Box.of(new int[] {first, 0}, new int[] {next, SHAPE.extent(1)});
            parts.add(new Subdomain(block, core, 8L * core.size(), core.size()));
            first = next;
        }
        return new Decomposition(SHAPE, parts, List.of());
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Identity me = Identity.of(TlsIdentity.parseFrom(Files.readAllBytes(Path.of(arguments[1]))));
        Storage storage = new Storage(folder, decomposition(Boolean.parseBoolean(arguments[2])));
        try (Mesh mesh = Mesh.start(
                MeshConfig.builder(new WorkerId(7), WorkerRole.SPAWNER, "127.0.0.1", 1)
                        .build(),
                me,
                (from, message) -> {},
                List.of(SpawnerGrpcService.spawner(me.id(), storage.calls())),
                List.of())) {
            System.out.println(mesh.self().address().port());
            new CountDownLatch(1).await(); // until it is killed
        }
    }

    private static final class Storage {
        private final Path folder;
        private final Decomposition decomposition;
        private final FilePartRepository parts;
        private final ResultSpool spool;
        private final ConcurrentHashMap<Integer, Integer> checksums = new ConcurrentHashMap<>();

        Storage(Path folder, Decomposition decomposition) {
            this.folder = folder;
            this.decomposition = decomposition;
            this.parts = new FilePartRepository(folder);
            this.spool = new ResultSpool(folder);
        }

        @SuppressWarnings("unchecked")
        SpawnerApi calls() {
            return (SpawnerApi) Proxy.newProxyInstance(
                    SpawnerApi.class.getClassLoader(),
                    new Class<?>[] {SpawnerApi.class},
                    (proxy, method, given) -> switch (method.getName()) {
                        case "deliver" -> deliver((DeliveredPart) given[0], (PartPieces) given[1]);
                        case "checkpoint" -> CompletableFuture.supplyAsync(this::assemble);
                        case "fetch" -> {
                            spool.fetch((FetchRequest) given[0], (Consumer<FetchReply>) given[1]);
                            yield null;
                        }
                        default -> throw new IllegalStateException(method + " is not served");
                    });
        }

        private int deliver(DeliveredPart part, PartPieces pieces) throws IOException {
            int checksum = parts.receive(part.getSid(), part.getBlock(), part.getCount(), pieces::next);
            checksums.put(part.getBlock(), checksum);
            return checksum;
        }

        private CheckpointReply assemble() {
            try {
                List<StoredPart> stored = new ArrayList<>();
                Incarnation incarnation = new Incarnation(new GroupTerm(1, new WorkerId(1)), 1);
                for (int block = 0; block < BLOCKS; block++) {
                    stored.add(
                            new StoredPart(new RecordedBlock(block, incarnation, 0), checksums.getOrDefault(block, 0)));
                }
                new ZarrResultWriter(folder, decomposition, "u", List.of())
                        .assemble(
                                SID,
                                stored,
                                new ResultAttributes("large", "heat2d", true, 1e-9, 1e-9, 1e-8, SID).toMap());
                spool.recordOutcome(Outcome.newBuilder()
                        .setCertified(Certified.newBuilder().setSid(SID).setResidual(1e-9))
                        .build());
                return CheckpointReply.newBuilder().setSid(SID).build();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
