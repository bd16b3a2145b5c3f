/** Jobs on a real cluster, as a user sees them: through kubectl and the spawners' own service. */
@NullMarked
package dev.volary.e2e;

import org.jspecify.annotations.NullMarked;
