package dev.volary.mesh;

import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Role;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Workers of one job in this JVM, with real sockets and certificates. */
final class TestJob implements AutoCloseable {
    static final long HASH = 0x1234_5678_9abc_def0L;
    static final Incarnation FIRST = new Incarnation(new GroupTerm(1, new NodeId(99)), 1);
    static final Incarnation SECOND = new Incarnation(new GroupTerm(1, new NodeId(99)), 2);

    private final CertificateAuthority authority;
    private final List<Mesh> meshes = new ArrayList<>();

    TestJob() throws GeneralSecurityException {
        this("heat");
    }

    TestJob(String name) throws GeneralSecurityException {
        authority = new CertificateAuthority("default", name);
    }

    Mesh daemon(long id, MeshListener listener) throws IOException, GeneralSecurityException {
        return daemon(id, listener, config -> config.withBulkShare(0));
    }

    Mesh daemon(long id, MeshListener listener, UnaryOperator<MeshConfig> change)
            throws IOException, GeneralSecurityException {
        MeshConfig config = MeshConfig.of(new NodeId(id), Role.DAEMON, "127.0.0.1", HASH);
        Mesh mesh = Mesh.start(change.apply(config), authority.issue("daemon", "daemon-" + id), listener);
        meshes.add(mesh);
        return mesh;
    }

    @Override
    public void close() {
        meshes.forEach(Mesh::close);
    }
}
