@org.jspecify.annotations.NullMarked
package dev.volary.mesh.job;
