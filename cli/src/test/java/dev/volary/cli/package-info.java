@NullMarked
package dev.volary.cli;

import org.jspecify.annotations.NullMarked;
