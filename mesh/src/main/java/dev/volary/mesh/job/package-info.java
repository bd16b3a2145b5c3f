/** What is asked of a job's workers from outside its mesh, and asking it. */
@NullMarked
package dev.volary.mesh.job;

import org.jspecify.annotations.NullMarked;
