@NullMarked
package dev.volary.backup.memory;

import org.jspecify.annotations.NullMarked;
