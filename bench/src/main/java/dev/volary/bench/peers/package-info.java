/**
 * Compares Volary with programs that others use for the same problems: {@code bench/run peers}. Start reading at
 * {@link dev.volary.bench.peers.PeerBenchmark}. A {@link dev.volary.bench.peers.Comparison} runs its programs in turn and returns a section of
 * the page, which {@link dev.volary.bench.peers.PerformancePage} writes. The peers themselves are in {@code bench/peers}.
 *
 * <p>It may use the other benchmarks; they do not use it. {@link dev.volary.bench.peers.Toolchain} finds compilers and libraries
 * and names what is missing. To add a peer, print {@link dev.volary.bench.peers.PeerResult}'s line of JSON at its end, compute the
 * residual again before, and add a {@link dev.volary.bench.peers.Contest.Contender} to the comparison.
 */
@NullMarked
package dev.volary.bench.peers;

import org.jspecify.annotations.NullMarked;
