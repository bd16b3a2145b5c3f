@NullMarked
package dev.volary.cli.plot;

import org.jspecify.annotations.NullMarked;
