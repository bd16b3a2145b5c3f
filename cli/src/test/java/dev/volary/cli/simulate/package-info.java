@NullMarked
package dev.volary.cli.simulate;

import org.jspecify.annotations.NullMarked;
