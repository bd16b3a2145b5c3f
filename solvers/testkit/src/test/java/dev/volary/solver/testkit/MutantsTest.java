// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Block;
import dev.volary.solver.BoundaryFirst;
import dev.volary.solver.Edge;
import dev.volary.solver.HaloWriter;
import dev.volary.solver.Halos;
import dev.volary.solver.IndexRange;
import dev.volary.solver.Inputs;
import dev.volary.solver.Model;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solver.Residual;
import dev.volary.solver.Sliced;
import dev.volary.solver.Subdomain;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Every check finds the bug it is there for, and says so. */
final class MutantsTest {
    private static final int BLOCKS = 3;

    @Test
    void overlappingCoresAreFound() {
        Model model = MutantModel.withParts(parts -> {
            Subdomain second = parts.get(1);
            IndexRange core = (IndexRange) second.core();
            parts.set(1, new Subdomain(1, new IndexRange(core.lo() - 1, core.hi()), second.bytes(), second.work()));
            return parts;
        });
        finds(
                "unknown 47 lies in the cores of both block 0 and block 1",
                () -> DecompositionChecks.coversEveryUnknownOnce(model, BLOCKS));
    }

    @Test
    void anUnknownInNoCoreIsFound() {
        Model model = MutantModel.withParts(parts -> {
            Subdomain last = parts.get(2);
            IndexRange core = (IndexRange) last.core();
            parts.set(2, new Subdomain(2, new IndexRange(core.lo(), core.hi() - 1), last.bytes(), last.work()));
            return parts;
        });
        finds("unknown 143 lies in no core", () -> DecompositionChecks.coversEveryUnknownOnce(model, BLOCKS));
    }

    @Test
    void anEdgeWithForeignValuesIsFound() {
        Model model = MutantModel.withEdges(edges -> {
            Edge edge = edges.getFirst();
            edges.set(0, new Edge(edge.from(), edge.to(), new IndexRange(40, 52)));
            return edges;
        });
        finds(
                "the edge from block 0 to block 1 carries unknown 48, which does not lie in the core of block 0",
                () -> DecompositionChecks.edgesCarryWhatTheirSourceOwns(model, BLOCKS));
    }

    @Test
    void twoEdgesForOnePairAreFound() {
        Model model = MutantModel.withEdges(edges -> {
            edges.add(edges.getFirst());
            return edges;
        });
        finds(
                "the edge from block 0 to block 1 exists twice",
                () -> DecompositionChecks.edgesCarryWhatTheirSourceOwns(model, BLOCKS));
    }

    @Test
    void aDecompositionThatDiffersBetweenWorkersIsFound() {
        AtomicInteger workers = new AtomicInteger();
        Problem moody = new Problem() {
            @Override
            public String name() {
                return "moody";
            }

            @Override
            public String summary() {
                return "Swaps its edges at every other worker.";
            }

            @Override
            public Model open(ParameterValues values, Inputs inputs) {
                boolean swapped = workers.incrementAndGet() % 2 == 0;
                return MutantModel.withEdges(edges -> swapped ? edges.reversed() : edges);
            }
        };
        finds(
                "two workers that open the same problem must get the same decomposition",
                () -> DecompositionChecks.isDeterministic(ProblemUnderTest.of(moody, Map.of()), BLOCKS));
    }

    @Test
    void aPartWithoutMemoryIsFound() {
        Model model = MutantModel.withParts(parts -> {
            parts.set(0, new Subdomain(0, parts.getFirst().core(), 0, 1));
            return parts;
        });
        finds("part 0 states 0 bytes for 48 unknowns", () -> DecompositionChecks.partsStateTheirCost(model, BLOCKS));
    }

    @Test
    void keepingTheArrayOfSetCoreIsFound() {
        finds(
                "kept the array that setCore was given",
                () -> StateChecks.coreRoundTrip(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            private double[] kept = {};

                            @Override
                            public void setCore(double[] core, Halos halos) {
                                kept = core;
                            }

                            @Override
                            public void copyCore(double[] target) {
                                if (kept.length > 0) {
                                    System.arraycopy(kept, 0, target, 0, size);
                                } else {
                                    super.copyCore(target);
                                }
                            }
                        }),
                        BLOCKS));
    }

    @Test
    void anotherOrderInCopyCoreIsFound() {
        finds(
                "copyCore of block 0 does not return what setCore was given",
                () -> StateChecks.coreRoundTrip(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            @Override
                            public void copyCore(double[] target) {
                                super.copyCore(target);
                                double first = target[0];
                                target[0] = target[1];
                                target[1] = first;
                            }
                        }),
                        BLOCKS));
    }

    @Test
    void writingIntoHalosIsFound() {
        finds(
                "wrote into its halos",
                () -> StateChecks.haloArraysAreOnlyBorrowed(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            @Override
                            public double iterate(Halos newest) {
                                newest.values(0)[0] += 1;
                                return super.iterate(newest);
                            }
                        }),
                        BLOCKS));
    }

    @Test
    void keepingAHaloArrayIsFound() {
        finds(
                "kept a halo array",
                () -> StateChecks.haloArraysAreOnlyBorrowed(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            private Halos kept = new HaloBuffers(List.of());

                            @Override
                            public double iterate(Halos newest) {
                                double hint = super.iterate(kept.size() == 0 ? newest : kept);
                                kept = newest;
                                return hint;
                            }
                        }),
                        BLOCKS));
    }

    @Test
    void stateThatIsNotSavedIsFound() {
        finds(
                "differs bitwise from the running one",
                () -> StateChecks.restoredBlockGoesOnBitwise(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            private int iterations;

                            @Override
                            public double iterate(Halos newest) {
                                iterations++;
                                double hint = super.iterate(newest);
                                double[] core = new double[size];
                                copyCore(core);
                                core[0] += 1e-3 / iterations;
                                setCore(core, newest);
                                return hint;
                            }
                        }),
                        BLOCKS));
    }

    @Test
    void bytesThatLoadDoesNotReadAreFound() {
        finds(
                "load left 8 of the 8 bytes that save wrote",
                () -> StateChecks.restoredBlockGoesOnBitwise(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            @Override
                            public void save(DataOutput out) throws IOException {
                                out.writeLong(7);
                            }
                        }),
                        BLOCKS));
    }

    @Test
    void aResidualOfTheBlocksOwnStateIsFound() {
        finds(
                "changed when the block iterated",
                () -> ResidualChecks.dependsOnItsArgumentsOnly(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            @Override
                            public Residual residual(double[] core, Halos recorded) {
                                double[] own = new double[size];
                                copyCore(own);
                                return super.residual(own, recorded);
                            }
                        }),
                        BLOCKS));
    }

    @Test
    void aResidualThatAnswersTwiceDifferentlyIsFound() {
        AtomicInteger calls = new AtomicInteger();
        finds(
                "gave two answers for the same arguments",
                () -> ResidualChecks.dependsOnItsArgumentsOnly(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            @Override
                            public Residual residual(double[] core, Halos recorded) {
                                return super.residual(core, recorded)
                                        .combine(new Residual(0, calls.incrementAndGet(), 0));
                            }
                        }),
                        BLOCKS));
    }

    @Test
    void aResidualThatMovesTheIterateIsFound() {
        finds(
                "changed the iterates",
                () -> ResidualChecks.leavesTheIterateAlone(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            @Override
                            public Residual residual(double[] core, Halos recorded) {
                                setCore(core, recorded);
                                return super.residual(core, recorded);
                            }
                        }),
                        BLOCKS));
    }

    @Test
    void aResidualInWorkingArraysIsFound() {
        finds(
                "must not use the block's working arrays",
                () -> ResidualChecks.mayRunBesideIterate(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            private final double[] shared = new double[size];
                            private final AtomicInteger iterations = new AtomicInteger();
                            private boolean beside;

                            @Override
                            public double iterate(Halos newest) {
                                double hint = super.iterate(newest);
                                copyCore(shared);
                                iterations.incrementAndGet();
                                return hint;
                            }

                            @Override
                            public Residual residual(double[] core, Halos recorded) {
                                System.arraycopy(core, 0, shared, 0, size);
                                // From the second call on another thread iterates: let it meet the array for certain.
                                int before = iterations.get();
                                while (beside && iterations.get() < before + 2) {
                                    Thread.onSpinWait();
                                }
                                beside = true;
                                return super.residual(shared, recorded);
                            }
                        }),
                        BLOCKS));
    }

    @Test
    void aResidualThatIgnoresHalosIsFound() {
        finds(
                "differs from that of a single block",
                () -> ResidualChecks.isThatOfTheWholeProblem(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            @Override
                            public Residual residual(double[] core, Halos recorded) {
                                return super.residual(core, new Halos() {
                                    @Override
                                    public int size() {
                                        return recorded.size();
                                    }

                                    @Override
                                    public double[] values(int k) {
                                        return new double[recorded.values(k).length];
                                    }

                                    @Override
                                    public boolean fresh(int k) {
                                        return false;
                                    }
                                });
                            }
                        }),
                        BLOCKS));
    }

    @Test
    void rowsCountedTwiceAreFound() {
        finds(
                "each row must count once",
                () -> ResidualChecks.isThatOfTheWholeProblem(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            @Override
                            public Residual residual(double[] core, Halos recorded) {
                                Residual right = super.residual(core, recorded);
                                return recorded.size() > 1
                                        ? right.combine(new Residual(0, core[0] * core[0], 0))
                                        : right;
                            }
                        }),
                        BLOCKS));
    }

    @Test
    void allocationIsFound() {
        finds(
                "keep its arrays in fields",
                () -> IterationChecks.doesNotAllocateOnceWarm(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            private double[] scratch = {};

                            @Override
                            public double iterate(Halos newest) {
                                scratch = new double[size];
                                copyCore(scratch);
                                return super.iterate(newest) + 0 * scratch[0];
                            }
                        }),
                        BLOCKS,
                        Duration.ofMillis(50)));
    }

    @Test
    void aHintInOtherUnitsIsFound() {
        finds(
                "Is it in the units of scale()?",
                () -> IterationChecks.hintFallsWithTheResidual(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            @Override
                            public double iterate(Halos newest) {
                                return 1e6 * super.iterate(newest);
                            }
                        }),
                        BLOCKS,
                        1e-4,
                        100_000));
    }

    @Test
    void aWrongHaloIsFound() {
        finds(
                "writeHalo from block 0 to block 1 differs from the values copyCore returns",
                () -> IterationChecks.writesTheHalosItsCoreHolds(MutantModel.withBlocks(FirstRowWriter::new), BLOCKS));
    }

    @Test
    void publishingOldValuesFromTheBoundaryIsFound() {
        finds(
                "writeHalo after boundary()",
                () -> IterationChecks.publishesFinalValuesBeforeTheInterior(
                        MutantModel.withBlocks(LateBoundary::new), BLOCKS));
    }

    @Test
    void slicesThatReadWhatOthersWriteAreFound() {
        finds(
                "a slice must not write what another reads",
                () -> IterationChecks.slicesAreIndependent(MutantModel.withBlocks(ChainedSlices::new), BLOCKS));
    }

    @Test
    void notANumberIsFound() {
        finds(
                "seed 1: block ",
                () -> AdversarialSchedule.run(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            @Override
                            public void copyCore(double[] target) {
                                super.copyCore(target);
                                target[0] = target[0] > 0.01 ? Double.NaN : target[0];
                            }
                        }),
                        BLOCKS,
                        1,
                        1e-3,
                        100_000));
    }

    @Test
    void anIterationThatOverrelaxesIsFound() {
        finds(
                "after iteration",
                () -> AdversarialSchedule.run(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            @Override
                            public double iterate(Halos newest) {
                                double[] before = new double[size];
                                double[] after = new double[size];
                                copyCore(before);
                                double hint = super.iterate(newest);
                                copyCore(after);
                                Arrays.setAll(after, i -> before[i] + 1.5 * (after[i] - before[i]));
                                setCore(after, newest);
                                return hint;
                            }
                        }),
                        BLOCKS,
                        1,
                        1e-3,
                        1_000_000));
    }

    @Test
    void aBlockThatStopsListeningIsFound() {
        finds(
                "do not converge with delayed, lost and repeated halos",
                () -> AdversarialSchedule.run(
                        MutantModel.withBlocks((block, size) -> new DelegatingBlock(block) {
                            private final HaloBuffers deaf = new HaloBuffers(List.of(
                                    new Edge(1, 0, new IndexRange(0, 12)), new Edge(1, 0, new IndexRange(0, 12))));

                            @Override
                            public double iterate(Halos newest) {
                                return super.iterate(newest.size() == 2 ? deaf : newest);
                            }
                        }),
                        BLOCKS,
                        1,
                        1e-3,
                        20_000));
    }

    /** Writes the first row of its core wherever the edge lies. */
    private static final class FirstRowWriter extends DelegatingBlock implements HaloWriter {
        private final double[] core;

        FirstRowWriter(Block block, int size) {
            super(block);
            this.core = new double[size];
        }

        @Override
        public void writeHalo(Edge edge, double[] target) {
            copyCore(core);
            System.arraycopy(core, 0, target, 0, edge.values().size());
        }
    }

    /** Does everything in interior(), so that what is published after boundary() is one iteration old. */
    private static final class LateBoundary extends DelegatingBlock implements BoundaryFirst {
        private final double[] core;

        LateBoundary(Block block, int size) {
            super(block);
            this.core = new double[size];
        }

        @Override
        public double iterate(Halos newest) {
            return super.iterate(newest);
        }

        @Override
        public void boundary(Halos newest) {}

        @Override
        public double interior(Halos newest) {
            return super.iterate(newest);
        }

        @Override
        public void writeHalo(Edge edge, double[] target) {
            copyCore(core);
            int from = edge.to() > edge.from() ? core.length - target.length : 0;
            System.arraycopy(core, from, target, 0, target.length);
        }
    }

    /** Every slice adds what the one before it left. */
    private static final class ChainedSlices extends DelegatingBlock implements Sliced {
        private final double[] core;

        ChainedSlices(Block block, int size) {
            super(block);
            this.core = new double[size];
        }

        @Override
        public double iterate(Halos newest) {
            return Sliced.super.iterate(newest);
        }

        @Override
        public int slices() {
            return 3;
        }

        @Override
        public void slice(int index, Halos newest) {
            copyCore(core);
            core[index] = 1 + (index == 0 ? 0 : core[index - 1]);
            setCore(core, newest);
        }

        @Override
        public double finish(Halos newest) {
            return 0;
        }
    }

    private static void finds(String message, Executable check) {
        AssertionError found = assertThrows(AssertionError.class, check);
        assertTrue(String.valueOf(found.getMessage()).contains(message), () -> "the message is: " + found.getMessage());
    }
}
