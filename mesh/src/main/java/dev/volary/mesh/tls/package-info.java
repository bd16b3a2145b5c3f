/** Who may talk: a certificate authority for each run, identities that name job and worker, and the checks of both. */
@NullMarked
package dev.volary.mesh.tls;

import org.jspecify.annotations.NullMarked;
