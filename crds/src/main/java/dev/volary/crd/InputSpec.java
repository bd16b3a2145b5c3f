package dev.volary.crd;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A folder with input files; parameters refer to them as {@code name:file}. Exactly one source is given.
 *
 * @param name what the part before the colon says
 * @param path a local folder, relative to the manifest's own
 * @param persistentVolumeClaim a volume on a cluster; free-form, not usable locally
 */
public record InputSpec(String name, Optional<String> path, Map<String, Object> persistentVolumeClaim) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    static InputSpec read(Fields in) {
        String name = in.requiredText("name", "give the input a name, such as in");
        if (!name.isEmpty() && !NAME.matcher(name).matches()) {
            in.fault("name", "is \"" + name + "\"; use lower case letters, digits and dashes, at most 63");
        }
        Optional<String> path = in.text("path");
        Map<String, Object> claim = in.free("persistentVolumeClaim");
        if (path.isPresent() == !claim.isEmpty()) {
            in.fault(
                    "path",
                    path.isPresent()
                            ? "is given beside persistentVolumeClaim; keep one of them"
                            : "is missing; give path (a folder) or persistentVolumeClaim (on a cluster)");
        }
        path.filter(String::isBlank).ifPresent(blank -> in.fault("path", "is blank; name a folder"));
        return new InputSpec(name, path, claim);
    }
}
