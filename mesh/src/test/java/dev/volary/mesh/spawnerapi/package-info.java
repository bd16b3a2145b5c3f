@org.jspecify.annotations.NullMarked
package dev.volary.mesh.spawnerapi;
