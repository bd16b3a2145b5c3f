/**
 * The small commands that run neither workers nor requests to a cluster: {@code validate}, {@code plan}, {@code problems},
 * {@code plot} and {@code completion}. Each class is one command; larger commands have a package of their own.
 */
@NullMarked
package dev.volary.cli.command;

import org.jspecify.annotations.NullMarked;
