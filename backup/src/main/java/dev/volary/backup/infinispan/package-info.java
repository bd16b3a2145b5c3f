/**
 * The store on Infinispan embedded: one bounded cluster per group, in daemons and their spawner. Why copies are placed by
 * their owners and not by a distributed cache: docs/decisions/0014-checkpoint-store.md.
 */
@NullMarked
package dev.volary.backup.infinispan;

import org.jspecify.annotations.NullMarked;
