@NullMarked
package dev.volary.crd;

import org.jspecify.annotations.NullMarked;
