@NullMarked
package dev.volary.cli.architecture;

import org.jspecify.annotations.NullMarked;
