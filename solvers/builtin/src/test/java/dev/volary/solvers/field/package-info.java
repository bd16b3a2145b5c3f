/** Tests of fields from files, and files for the tests of the problems that read them. */
@org.jspecify.annotations.NullMarked
package dev.volary.solvers.field;
