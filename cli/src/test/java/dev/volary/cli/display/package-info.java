@NullMarked
package dev.volary.cli.display;

import org.jspecify.annotations.NullMarked;
