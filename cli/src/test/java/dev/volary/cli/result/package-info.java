@NullMarked
package dev.volary.cli.result;

import org.jspecify.annotations.NullMarked;
