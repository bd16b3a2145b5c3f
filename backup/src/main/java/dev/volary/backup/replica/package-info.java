/** What all stores have in common: where copies go, what a holder takes, how the newest is found. */
@NullMarked
package dev.volary.backup.replica;

import org.jspecify.annotations.NullMarked;
