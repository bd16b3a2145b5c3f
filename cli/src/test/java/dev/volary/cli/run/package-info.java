@NullMarked
package dev.volary.cli.run;

import org.jspecify.annotations.NullMarked;
