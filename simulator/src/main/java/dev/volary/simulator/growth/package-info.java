/** How a whole job's control behaves as it grows: the machines of all its workers in virtual time, without any numbers. */
@NullMarked
package dev.volary.simulator.growth;

import org.jspecify.annotations.NullMarked;
