/** What a job will need: blocks, memory, halo traffic, sweeps. */
@NullMarked
package dev.volary.cli.plan;

import org.jspecify.annotations.NullMarked;
