@NullMarked
package dev.volary.job.resource;

import org.jspecify.annotations.NullMarked;
