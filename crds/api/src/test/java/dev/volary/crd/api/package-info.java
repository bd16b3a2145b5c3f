@NullMarked
package dev.volary.crd.api;

import org.jspecify.annotations.NullMarked;
