@NullMarked
package dev.volary.cli.cluster.client;

import org.jspecify.annotations.NullMarked;
