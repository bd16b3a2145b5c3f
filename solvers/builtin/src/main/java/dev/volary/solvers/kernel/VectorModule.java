// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

/**
 * The JDK's module {@value #NAME}. A JVM that has it from the start, by {@code --add-modules}, makes no use of the linked classes and
 * lambdas in its AOT cache, because the JDK does not archive a module graph with an incubating module: each start then costs a
 * quarter more. So it is loaded when the first block wants it, as the JDK itself loads modules of agents. That needs
 * {@code --add-exports=java.base/jdk.internal.module=ALL-UNNAMED}.
 */
final class VectorModule {
    static final String NAME = "jdk.incubator.vector";

    private static final boolean IS_LOADED = ModuleLayer.boot().findModule(NAME).isPresent() || load();

    private VectorModule() {}

    /** Whether its classes can be used; loads it if it is not there yet. */
    static boolean isLoaded() {
        return IS_LOADED;
    }

    private static boolean load() {
        try {
            Class.forName("jdk.internal.module.Modules")
                    .getMethod("loadModule", String.class)
                    .invoke(null, NAME);
            return true;
        } catch (ReflectiveOperationException notAllowed) {
            return false; // or the JDK lacks the module
        }
    }
}
