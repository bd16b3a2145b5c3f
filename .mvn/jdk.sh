# Finds a JDK of at least version 25 and exports it as JAVA_HOME; sourced by ./mvnw and ./volary.
# Looks at JAVA_HOME, then the java on PATH, then the usual install folders.

volary_jdk_version() { # prints the feature version of the JDK in folder $1, or nothing
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

volary_find_jdk() {
  _required=25
  _java=$(command -v java 2>/dev/null || true)
  if [ -n "$_java" ]; then
    _java=$(readlink -f "$_java" 2>/dev/null || echo "$_java")
    _java=${_java%/bin/java}
  fi
  _best= _best_version=0
  for _home in "${JAVA_HOME:-}" "$_java"; do
    [ -n "$_home" ] || continue
    _version=$(volary_jdk_version "$_home")
    if [ "${_version:-0}" -ge "$_required" ]; then
      JAVA_HOME=$_home
      export JAVA_HOME
      return 0
    fi
  done
  # The lowest version that suffices is the one the project is tested with.
  for _home in /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* "$HOME"/.sdkman/candidates/java/* \
    "$HOME"/.jdks/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -d "$_home" ] || continue
    _version=$(volary_jdk_version "$_home")
    [ "${_version:-0}" -ge "$_required" ] || continue
    if [ -z "$_best" ] || [ "$_version" -lt "$_best_version" ]; then
      _best=$_home _best_version=$_version
    fi
  done
  if [ -z "$_best" ]; then
    echo "No JDK $_required or newer found in JAVA_HOME, on PATH or in the usual folders." >&2
    echo "Install one (for example Eclipse Temurin $_required: https://adoptium.net) or set JAVA_HOME to it." >&2
    return 4
  fi
  JAVA_HOME=$_best
  export JAVA_HOME
}

volary_find_jdk || exit 4
