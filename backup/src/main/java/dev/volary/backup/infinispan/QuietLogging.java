// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jgroups.logging.LogFactory;

/**
 * Sends the log of Infinispan and JGroups to the JDK's logging, and keeps it to errors unless someone has set a level:
 * warnings about members that come and go are what this project is about.
 */
final class QuietLogging {
    private static final List<Logger> LOGGERS =
            List.of(Logger.getLogger("org.infinispan"), Logger.getLogger("org.jgroups")); // held: loggers are weak

    private QuietLogging() {}

    /** To be called before anything else of Infinispan. */
    static void install() {
        if (System.getProperty("org.jboss.logging.provider") == null) {
            System.setProperty("org.jboss.logging.provider", "jdk");
        }
        LogFactory.useJdkLogger(true);
        for (Logger logger : LOGGERS) {
            if (logger.getLevel() == null) {
                logger.setLevel(Level.SEVERE);
            }
        }
    }
}
