package dev.volary.protocol.daemon;

/**
 * When blocks are backed up, and where to (design §7): every so many iterations, into the next slot in turn.
 *
 * @param every iterations between two backups of a block; 0 for none but the last of a daemon that leaves
 * @param slots copies of different age
 */
public record BackupRule(long every, int slots) {

    /** No backups but those of a daemon that leaves. */
    public static final BackupRule NONE = new BackupRule(0, 1);

    public BackupRule {
        if (every < 0 || slots < 1) {
            throw new IllegalArgumentException(
                    "every is " + every + ", must not be negative; slots is " + slots + ", must be positive");
        }
    }
}
