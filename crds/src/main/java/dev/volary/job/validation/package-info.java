/** The rules of a job that span fields, in one place for files, API server and operator. */
@NullMarked
package dev.volary.job.validation;

import org.jspecify.annotations.NullMarked;
