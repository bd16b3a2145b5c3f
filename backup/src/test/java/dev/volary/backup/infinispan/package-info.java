@NullMarked
package dev.volary.backup.infinispan;

import org.jspecify.annotations.NullMarked;
