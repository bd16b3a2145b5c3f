// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import dev.volary.solver.Decomposition;
import dev.volary.worker.result.FilePartRepository;
import dev.volary.worker.result.PartFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The parts of an epoch on a volume: written in place, and read without a copy.
 *
 * @param epoch folder of the epoch
 * @param files in its folder {@code .parts}
 */
record VolumeCheckpointParts(Path epoch, FilePartRepository files) implements CheckpointParts {
    VolumeCheckpointParts(Path epoch) {
        this(epoch, new FilePartRepository(epoch));
    }

    @Override
    public int store(long sid, int block, double[] values, int count) throws IOException {
        return files.store(sid, block, values, count);
    }

    @Override
    public double[] read(long sid, int block, int count, int checksum) throws IOException {
        return files.read(sid, block, count, checksum);
    }

    @Override
    public FileChannel open(long sid, int block, int count, int checksum) throws IOException {
        return files.open(sid, block, count, checksum);
    }

    @Override
    public Set<Integer> present(long sid, Decomposition decomposition) throws IOException {
        Set<Integer> present = new HashSet<>();
        for (int block = 0; block < decomposition.blocks(); block++) {
            if (files.has(sid, block, decomposition.parts().get(block).core().size())) {
                present.add(block);
            }
        }
        return present;
    }

    /** A file system does not tell the two apart. */
    @Override
    public boolean isDamage(IOException failure) {
        return true;
    }

    @Override
    public void verify(long sid, int block, int count, int checksum) throws IOException {
        files.verify(sid, block, count, checksum);
    }

    @Override
    public void copy(PartFiles from, long sid, int block, int count, int checksum) throws IOException {
        files.copy(from, sid, block, count, checksum);
    }

    /** Makes the names durable too. */
    @Override
    public void force() throws IOException {
        try (FileChannel names = FileChannel.open(epoch.resolve(".parts"), StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    @Override
    public void forget(long before, OptionalLong kept) throws IOException {
        files.forget(before, kept);
    }
}
