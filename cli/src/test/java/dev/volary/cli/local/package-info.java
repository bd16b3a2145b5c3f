@NullMarked
package dev.volary.cli.local;

import org.jspecify.annotations.NullMarked;
