/** {@code volary simulate}: a manifest in virtual time, on any number of workers. Alone here the simulator is known. */
@NullMarked
package dev.volary.cli.simulate;

import org.jspecify.annotations.NullMarked;
