@NullMarked
package dev.volary.job.manifest;

import org.jspecify.annotations.NullMarked;
