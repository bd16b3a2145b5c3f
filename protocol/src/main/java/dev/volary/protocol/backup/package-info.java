/** Who keeps copies of a group's blocks (design §7): how its members come to know of each other. Pure. */
@NullMarked
package dev.volary.protocol.backup;

import org.jspecify.annotations.NullMarked;
