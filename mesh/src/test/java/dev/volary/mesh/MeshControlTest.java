package dev.volary.mesh;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeshControlTest {

    @Test
    void messages_arrive_in_order_whichever_side_knows_the_other() throws Exception {
        try (TestJob job = new TestJob()) {
            Heard low = new Heard();
            Heard high = new Heard();
            Mesh one = job.daemon(1, low);
            Mesh two = job.daemon(2, high);
            List<Message> sent = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                sent.add(new Message.SnapshotStore(i));
                two.send(new NodeId(1), sent.get(i)); // nothing is known yet: it waits
            }
            two.know(one.self());
            await().until(() -> low.messages.size() >= 200);
            one.send(new NodeId(2), new Message.SnapshotStore(-1));
            await().until(() -> high.messages.size() == 1);
            assertEquals(sent, low.messages);
        }
    }
}
