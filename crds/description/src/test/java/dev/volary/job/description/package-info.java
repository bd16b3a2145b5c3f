@NullMarked
package dev.volary.job.description;

import org.jspecify.annotations.NullMarked;
