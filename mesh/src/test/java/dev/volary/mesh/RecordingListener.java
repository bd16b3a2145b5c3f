// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh;

import dev.volary.mesh.link.MeshListener;
import dev.volary.mesh.link.RecordedHalo;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records all events of a mesh. */
public class RecordingListener implements MeshListener {
    final List<Message> messages = new CopyOnWriteArrayList<>();
    final List<Message> refusedMessages = new CopyOnWriteArrayList<>();
    final List<BlockVersion> first = new CopyOnWriteArrayList<>();
    final List<RecordedHalo> recorded = new CopyOnWriteArrayList<>();
    final List<Incarnation> stale = new CopyOnWriteArrayList<>();
    final List<WorkerId> connected = new CopyOnWriteArrayList<>();
    final List<WorkerId> disconnected = new CopyOnWriteArrayList<>();
    final List<WorkerId> ended = new CopyOnWriteArrayList<>();
    final List<Long> acknowledged = new CopyOnWriteArrayList<>();
    final List<String> refused = new CopyOnWriteArrayList<>();
    final List<String> corrupt = new CopyOnWriteArrayList<>();

    @Override
    public void received(WorkerId from, Message message) {
        messages.add(message);
    }

    @Override
    public void messageRefused(WorkerId from, Message message) {
        refusedMessages.add(message);
    }

    @Override
    public void firstHalo(int from, int to, BlockVersion key) {
        first.add(key);
    }

    @Override
    public void recordedHalo(RecordedHalo halo) {
        recorded.add(halo);
    }

    @Override
    public void staleHalo(int block, Incarnation incarnation, Incarnation newest, WorkerId sender) {
        stale.add(incarnation);
    }

    @Override
    public void connected(Member peer) {
        connected.add(peer.id());
    }

    @Override
    public void disconnected(WorkerId peer, String reason) {
        disconnected.add(peer);
    }

    @Override
    public void connectionRefused(WorkerId peer) {
        ended.add(peer);
    }

    @Override
    public void acknowledged(WorkerId peer, long sentAt) {
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
