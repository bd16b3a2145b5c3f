{{- define "volary.name" -}}
{{- printf "%s-operator" .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "volary.selector" -}}
app.kubernetes.io/name: volary-operator
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "volary.labels" -}}
{{ include "volary.selector" . }}
app.kubernetes.io/component: operator
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: volary
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "volary.image" -}}
{{- printf "%s:%s" .image.repository (default .root.Chart.AppVersion .image.tag) -}}
{{- end -}}

{{/* What the operator may do in a namespace that it manages; every line says what for. */}}
{{- define "volary.rules" -}}
# The jobs themselves: to see them; to delete those whose ttlSecondsAfterFinished is over.
- apiGroups: [volary.dev]
  resources: [iterativejobs]
  verbs: [get, list, watch, delete]
# To write how they fare; nothing else of a job is ever changed.
- apiGroups: [volary.dev]
  resources: [iterativejobs/status]
  verbs: [get, update, patch]
# Owner references with blockOwnerDeletion need this where that is enforced.
- apiGroups: [volary.dev]
  resources: [iterativejobs/finalizers]
  verbs: [update]
# Workers: create, watch and delete them. patch: end the containers of a failed job and keep their logs.
- apiGroups: [""]
  resources: [pods]
  verbs: [get, list, watch, create, delete, patch]
# The job's authority and one identity for each pod: read by name, never listed; deleted with their pods.
- apiGroups: [""]
  resources: [secrets]
  verbs: [get, create, update, delete]
# The job description.
- apiGroups: [""]
  resources: [configmaps]
  verbs: [get, create, update]
# Whether claims that several workers write allow that.
- apiGroups: [""]
  resources: [persistentvolumeclaims]
  verbs: [get]
# The names under which workers find each other, and the account of spawners.
- apiGroups: [""]
  resources: [services, serviceaccounts]
  verbs: [get, create]
# Who may talk to whom.
- apiGroups: [networking.k8s.io]
  resources: [networkpolicies]
  verbs: [get, create]
# The one right that spawners get: to their own job's lease.
- apiGroups: [rbac.authorization.k8s.io]
  resources: [roles, rolebindings]
  verbs: [get, create]
# The job's lease: to take the lead out of it when the job is suspended; spawners are given the right to update it too.
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [get, create, update]
# To publish decisions as events.
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create]
{{- end -}}
