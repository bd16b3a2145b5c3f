/** How the objects are named, labelled and reached that the operator makes for a job, for all who look for them. */
@NullMarked
package dev.volary.crd.api.objects;

import org.jspecify.annotations.NullMarked;
