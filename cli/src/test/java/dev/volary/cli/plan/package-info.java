@NullMarked
package dev.volary.cli.plan;

import org.jspecify.annotations.NullMarked;
