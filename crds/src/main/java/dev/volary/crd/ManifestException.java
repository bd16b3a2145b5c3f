package dev.volary.crd;

import java.util.List;
import java.util.stream.Collectors;

/** A manifest that cannot be used, with everything that is wrong with it; the message has a line for each fault. */
public final class ManifestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Fault> faults;

    /**
     * @param faults at least one, in the order in which they should be read
     */
    public ManifestException(List<Fault> faults) {
        super(faults.stream().map(Fault::toString).collect(Collectors.joining("\n")));
        this.faults = List.copyOf(faults);
    }

    /** What is wrong, in the order of the file where positions are known. */
    public List<Fault> faults() {
        return faults;
    }
}
