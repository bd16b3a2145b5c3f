@NullMarked
package dev.volary.checkpoint.infinispan;

import org.jspecify.annotations.NullMarked;
