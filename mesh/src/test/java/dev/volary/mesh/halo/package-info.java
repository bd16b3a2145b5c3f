@NullMarked
package dev.volary.mesh.halo;

import org.jspecify.annotations.NullMarked;
