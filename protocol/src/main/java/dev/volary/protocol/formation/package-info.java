/** How workers find together: election of the lead by the arbiter, groups, the plan and the register. */
@NullMarked
package dev.volary.protocol.formation;

import org.jspecify.annotations.NullMarked;
