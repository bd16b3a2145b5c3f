@NullMarked
package dev.volary.cli.chaos;

import org.jspecify.annotations.NullMarked;
