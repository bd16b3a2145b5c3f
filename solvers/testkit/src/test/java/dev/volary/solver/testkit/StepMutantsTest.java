// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Block;
import dev.volary.solver.Halos;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.SteppedBlock;
import dev.volary.solver.testkit.example.CoolingRodProblem;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Every check of time steps finds the bug it is there for, and says so. */
final class StepMutantsTest {
    private static final int BLOCKS = 3;
    private static final HaloBuffers NONE = new HaloBuffers(List.of());

    @Test
    void aBlockThatCannotCommitIsFound() {
        Model model = MutantModel.withBlocks(rod(), (block, size) -> new DelegatingBlock(block) {});
        finds("block 0 is no SteppedBlock", () -> StepChecks.modelAndBlocksAgreeOnMarching(model, BLOCKS));
    }

    @Test
    void aSteppedBlockOfAStationaryModelIsFound() {
        Model model = MutantModel.withBlocks((block, size) -> new Pretender(block));
        finds("the model has no timeStepping()", () -> StepChecks.modelAndBlocksAgreeOnMarching(model, BLOCKS));
    }

    @Test
    void aCommitThatKeepsItsLatestIterateIsFound() {
        Model model = planted(block -> new Stepped(block) {
            @Override
            public void commit(double[] certified, Halos halos) {
                double[] latest = new double[certified.length];
                copyCore(latest);
                super.commit(certified, halos);
                setCore(latest, halos);
            }
        });
        finds(
                "blocks that had iterated beyond the certified vector differ 0 iterations after its commit",
                () -> StepChecks.commitForgetsWhatWasIterated(model, BLOCKS));
    }

    @Test
    void aCommitOfTheLatestIterateIsFound() {
        Model model = planted(block -> new Stepped(block) {
            @Override
            public void commit(double[] certified, Halos halos) {
                double[] latest = new double[certified.length];
                copyCore(latest);
                super.commit(latest, halos);
                setCore(certified, halos);
            }
        });
        finds("1 iterations after its commit", () -> StepChecks.commitForgetsWhatWasIterated(model, BLOCKS));
    }

    @Test
    void aHaloOfTheOldStepThatIsUsedInTheNewOneIsFound() {
        Model model = planted(block -> new Stepped(block) {
            private boolean committed;
            private HaloBuffers last = NONE;

            @Override
            public double iterate(Halos newest) {
                double hint = super.iterate(committed ? last : newest);
                committed = false;
                last = ((HaloBuffers) newest).copy();
                return hint;
            }

            @Override
            public void commit(double[] certified, Halos halos) {
                super.commit(certified, halos);
                committed = true;
            }
        });
        finds("halos included", () -> StepChecks.commitForgetsWhatWasIterated(model, BLOCKS));
    }

    @Test
    void aCommitThatChangesNothingIsFound() {
        Model model = planted(block -> new Stepped(block) {
            @Override
            public void commit(double[] certified, Halos halos) {}
        });
        finds("must lead to step 2", () -> StepChecks.commitForgetsWhatWasIterated(model, BLOCKS));
        finds(
                "the result of step 1 solves step 2 as well",
                () -> StepChecks.stepsAreThoseOfTheWholeProblem(model, BLOCKS, 1e-6, 1000));
    }

    @Test
    void aCommitThatKeepsItsArrayIsFound() {
        Model model = planted(block -> new Stepped(block) {
            private double[] kept = {};

            @Override
            public void commit(double[] certified, Halos halos) {
                super.commit(certified, halos);
                kept = certified;
            }

            @Override
            public double iterate(Halos newest) {
                if (kept.length > 0) {
                    setCore(kept, newest);
                    kept = new double[0];
                }
                return super.iterate(newest);
            }
        });
        finds("kept an array that commit was given", () -> StepChecks.commitBorrowsItsArrays(model, BLOCKS));
    }

    @Test
    void aBlockThatDoesNotSaveWhatItCommittedIsFound() {
        Model model = planted(block -> new Stepped(block) {
            @Override
            public void save(DataOutput out) {}

            @Override
            public void load(DataInput in) {}
        });
        finds("is in another step", () -> StepChecks.savedStepIsRestored(model, BLOCKS));
    }

    @Test
    void aBlockThatSavesOnlyItsStepIsFound() {
        Model model = MutantModel.withBlocks(rod(), (block, size) -> new Stepped((SteppedBlock) block) {
            @Override
            public void save(DataOutput out) throws IOException {
                out.writeInt(step());
            }

            @Override
            public void load(DataInput in) throws IOException {
                double[] core = new double[size];
                copyCore(core);
                double[] ones = new double[size];
                Arrays.fill(ones, 1);
                for (int behind = in.readInt() - step(); behind > 0; behind--) {
                    commit(ones, NONE);
                }
                setCore(core, NONE);
            }
        });
        finds("save the values that were committed", () -> StepChecks.savedStepIsRestored(model, BLOCKS));
    }

    private static Model planted(Function<SteppedBlock, Block> bug) {
        return MutantModel.withBlocks(rod(), (block, size) -> bug.apply((SteppedBlock) block));
    }

    /** A stationary block that claims to march. */
    private static final class Pretender extends DelegatingBlock implements SteppedBlock {
        Pretender(Block block) {
            super(block);
        }

        @Override
        public int step() {
            return 1;
        }

        @Override
        public void commit(double[] certified, Halos halos) {}
    }

    /** A correct stepped block, of which tests override something to plant a bug. */
    private static class Stepped extends DelegatingBlock implements SteppedBlock {
        private final SteppedBlock stepped;

        Stepped(SteppedBlock stepped) {
            super(stepped);
            this.stepped = stepped;
        }

        @Override
        public int step() {
            return stepped.step();
        }

        @Override
        public void commit(double[] certified, Halos halos) {
            stepped.commit(certified, halos);
        }
    }

    private static void finds(String message, Executable check) {
        AssertionError found = assertThrows(AssertionError.class, check);
        assertTrue(String.valueOf(found.getMessage()).contains(message), () -> "the message is: " + found.getMessage());
    }

    private static Model rod() {
        try {
            return ProblemUnderTest.of(new CoolingRodProblem(), Map.of("points", 30))
                    .open();
        } catch (InvalidProblemException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
