@NullMarked
package dev.volary.worker;

import org.jspecify.annotations.NullMarked;
