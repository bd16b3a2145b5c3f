@NullMarked
package dev.volary.cli.cluster;

import org.jspecify.annotations.NullMarked;
