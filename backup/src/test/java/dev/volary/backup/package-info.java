@NullMarked
package dev.volary.backup;

import org.jspecify.annotations.NullMarked;
