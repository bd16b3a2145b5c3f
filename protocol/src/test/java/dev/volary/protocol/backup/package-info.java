@NullMarked
package dev.volary.protocol.backup;

import org.jspecify.annotations.NullMarked;
