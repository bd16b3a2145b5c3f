// SPDX-License-Identifier: Apache-2.0
package dev.volary.mutant;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Loads the changed classes of a mutant, and once more all packages that must see them. Everything else is shared with
 * the test, so that it is loaded, and compiled to machine code, once for all mutants.
 */
final class MutantClassLoader extends ClassLoader {
    private final ClassLoader test;
    private final Map<String, byte[]> changed;
    private final Set<String> packages;

    /**
     * @param changed code by class name
     * @param packages those of the changed classes, and all that refer to them
     */
    MutantClassLoader(Map<String, byte[]> changed, Set<String> packages) {
        this(MutantClassLoader.class.getClassLoader(), changed, packages);
    }

    private MutantClassLoader(ClassLoader test, Map<String, byte[]> changed, Set<String> packages) {
        super(test);
        this.test = test;
        this.changed = changed;
        this.packages = packages;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!packages.contains(PackageGraph.packageOf(name))) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] code = changed.get(name);
        if (code == null) {
            code = unchanged(name);
        }
        return defineClass(name, code, 0, code.length);
    }

    private byte[] unchanged(String name) throws ClassNotFoundException {
        try (@Nullable InputStream in = test.getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
