@NullMarked
package dev.volary.cli.console;

import org.jspecify.annotations.NullMarked;
