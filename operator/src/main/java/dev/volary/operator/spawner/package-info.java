/** How spawners are asked for their view of the job, and told what the API knows. */
@NullMarked
package dev.volary.operator.spawner;

import org.jspecify.annotations.NullMarked;
