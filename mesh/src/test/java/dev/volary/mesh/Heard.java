package dev.volary.mesh;

import dev.volary.protocol.HaloKey;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps all that a mesh tells. */
class Heard implements MeshListener {
    final List<Message> messages = new CopyOnWriteArrayList<>();
    final List<HaloKey> first = new CopyOnWriteArrayList<>();
    final List<RecordedHalo> recorded = new CopyOnWriteArrayList<>();
    final List<Incarnation> old = new CopyOnWriteArrayList<>();
    final List<NodeId> connected = new CopyOnWriteArrayList<>();
    final List<NodeId> disconnected = new CopyOnWriteArrayList<>();
    final List<NodeId> gone = new CopyOnWriteArrayList<>();
    final List<Long> acknowledged = new CopyOnWriteArrayList<>();
    final List<String> refused = new CopyOnWriteArrayList<>();
    final List<String> corrupt = new CopyOnWriteArrayList<>();

    @Override
    public void received(NodeId from, Message message) {
        messages.add(message);
    }

    @Override
    public void firstHalo(int from, int to, HaloKey key) {
        first.add(key);
    }

    @Override
    public void recordedHalo(RecordedHalo halo) {
        recorded.add(halo);
    }

    @Override
    public void oldHalo(int block, Incarnation incarnation, Incarnation newest, NodeId sender) {
        old.add(incarnation);
    }

    @Override
    public void connected(Member peer) {
        connected.add(peer.id());
    }

    @Override
    public void disconnected(NodeId peer, String reason) {
        disconnected.add(peer);
    }

    @Override
    public void connectionRefused(NodeId peer) {
        gone.add(peer);
    }

    @Override
    public void acknowledged(NodeId peer, long sentAt) {
        acknowledged.add(sentAt);
    }

    @Override
    public void refused(String peer, String reason) {
        refused.add(reason);
    }

    @Override
    public void corruptFrame(String peer, String reason) {
        corrupt.add(reason);
    }
}
