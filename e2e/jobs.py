"""What e2e/start-time and e2e/recovery-time share: kubectl, and what workers' logs say."""
import contextlib
import datetime
import json
import os
import re
import subprocess
import sys
import time

PATIENCE = 180
ITERATES = re.compile(r"block (\d+) iterates")
TRACE = "env: [{name: VOLARY_TRACE, value: '1'}], " if os.environ.get("VOLARY_TRACE") else ""
TEMPLATE = "{spec: {containers: [{name: worker, " + TRACE + "resources: {requests: {cpu: 50m}, limits: {memory: 384Mi}}}]}}"


def manifest(namespace, tolerance, standbys, pace):
    """A job of two spawners, four daemons and some standbys; with the least duration of an iteration, or without."""
    chaos = f"chaos: {{allowed: true, pace: {pace}}}" if pace else ""
    return f"""
apiVersion: volary.dev/v1alpha1
kind: IterativeJob
metadata: {{name: timed, namespace: {namespace}}}
spec:
  problem: {{type: heat2d, parameters: {{points: 511, boundary: Series, method: PointJacobi}}}}
  convergence: {{tolerance: "{tolerance}"}}
  daemons: {{replicas: 4, standbys: {standbys}, template: {TEMPLATE}}}
  spawners: {{replicas: 2, template: {TEMPLATE}}}
  {chaos}
"""


@contextlib.contextmanager
def running(namespace, tolerance, standbys=0, pace=None):
    """A job in a namespace of its own, which is deleted in the end; gives the time when it was applied."""
    kubectl("create", "namespace", namespace)
    try:
        applied = time.time()
        kubectl("apply", "-f", "-", given=manifest(namespace, tolerance, standbys, pace))
        # One process that waits: whatever looked again and again would compete with what is measured.
        kubectl("-n", namespace, "wait", "ij/timed", "--for=jsonpath={.status.phase}=Running", f"--timeout={PATIENCE}s")
        yield applied
    finally:
        kubectl("delete", "namespace", namespace)


def kubectl(*arguments, given=None, fails=False):
    """Standard output; ends the program if kubectl fails and may not."""
    environment = os.environ | {"KUBECONFIG": os.environ["VOLARY_E2E_KUBECONFIG"]}
    ended = subprocess.run(["kubectl", *arguments], input=given, env=environment, capture_output=True, text=True)
    if ended.returncode and not fails:
        sys.exit(f"{os.path.basename(sys.argv[0])}: kubectl {' '.join(arguments)}: {ended.stderr}")
    return ended.stdout


def pods(namespace):
    return json.loads(kubectl("-n", namespace, "get", "pods", "-o", "json"))["items"]


def seconds(text):
    """An RFC 3339 time as seconds since 1970."""
    text = text.replace("Z", "+00:00")
    if "." in text:
        head, rest = text.split(".")
        text = head + "." + rest.split("+")[0][:6].ljust(6, "0") + "+00:00"
    return datetime.datetime.fromisoformat(text).timestamp()


def log(pod):
    """The lines of a worker, each as what its JSON holds."""
    lines = []
    place = pod["metadata"]
    for line in kubectl("-n", place["namespace"], "logs", place["name"], fails=True).splitlines():
        try:
            lines.append(json.loads(line))
        except ValueError:
            pass  # the JVM's own
    return lines
