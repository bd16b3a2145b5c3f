/** What a spawner decides: its group, and, while it is the lead, the plan, the snapshots and the end of the job. */
@NullMarked
package dev.volary.protocol.spawner;

import org.jspecify.annotations.NullMarked;
