@NullMarked
package dev.volary.cli.check;

import org.jspecify.annotations.NullMarked;
