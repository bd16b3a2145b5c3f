/**
 * Who keeps copies of a group's blocks (docs/explanation/backups-and-checkpoints.md, "where backups go"): how its members come
 * to know of each other. Pure.
 */
@NullMarked
package dev.volary.protocol.backup;

import org.jspecify.annotations.NullMarked;
