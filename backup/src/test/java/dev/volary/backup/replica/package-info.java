@NullMarked
package dev.volary.backup.replica;

import org.jspecify.annotations.NullMarked;
