/**
 * Which daemon gets which block: planning of a job, sharing among the daemons of a group, reservations of standbys, and offers
 * of blocks between groups.
 */
@NullMarked
package dev.volary.protocol.placement;

import org.jspecify.annotations.NullMarked;
