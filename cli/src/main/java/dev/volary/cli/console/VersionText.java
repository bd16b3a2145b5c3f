// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.console;

import picocli.CommandLine.IVersionProvider;

/** Prints the versions of Volary and Java for {@code --version}. */
public final class VersionText implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {
            "volary " + volary(),
            "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }

    /** The version of this program, from the manifest of its jar. */
    public static String volary() {
        String version = VersionText.class.getPackage().getImplementationVersion();
        return version == null ? "(not from a jar)" : version;
    }
}
