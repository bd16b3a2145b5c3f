package dev.volary.crd;

/**
 * A job: one problem, solved to a tolerance by daemons that come and go.
 *
 * @param apiVersion always {@value #API_VERSION}
 * @param kind always {@value #KIND}
 * @param metadata its name and labels
 * @param spec what to solve and how
 */
public record IterativeJob(String apiVersion, String kind, Metadata metadata, JobSpec spec) {
    public static final String API_VERSION = "volary.dev/v1alpha1";
    public static final String KIND = "IterativeJob";

    static IterativeJob read(Fields in) {
        return new IterativeJob(
                constant(in, "apiVersion", API_VERSION),
                constant(in, "kind", KIND),
                in.object("metadata", Metadata::read),
                in.object("spec", JobSpec::read));
    }

    private static String constant(Fields in, String name, String only) {
        String given = in.requiredText(name, "write " + name + ": " + only);
        if (!given.isEmpty() && !given.equals(only)) {
            in.fault(name, "is \"" + given + "\", which this version does not know; write " + only);
        }
        return only;
    }
}
