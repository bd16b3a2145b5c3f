/**
 * Infinispan embedded carries the requests of a store: one bounded cluster per group, in daemons and their spawner. It provides the
 * view of members, the TLS transport and the calls. Why copies are placed by their owners and not by a distributed cache:
 * docs/decisions/0014-checkpoint-store.md.
 */
@NullMarked
package dev.volary.backup.infinispan;

import org.jspecify.annotations.NullMarked;
