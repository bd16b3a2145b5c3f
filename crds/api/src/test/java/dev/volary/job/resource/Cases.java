// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

import java.util.List;

/** For each rule of the definition a manifest that keeps it and one that does not. */
final class Cases {
    private static final String FOREVER =
            "; it cannot change once the job exists; restore it, or delete the job and apply a new one";

    /** {@code printf abc | sha256sum}. */
    private static final String SHA = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    private Cases() {}

    /**
     * One rule.
     *
     * @param before fields of the job that exists already, in YAML; empty if the rule is about new jobs too
     * @param accepted fields that keep the rule
     * @param refused fields that do not
     * @param message what the API server answers
     */
    record Case(String before, String accepted, String refused, String message) {
        @Override
        public String toString() {
            return message;
        }
    }

    private static Case created(String accepted, String refused, String message) {
        return new Case("", accepted, refused, message);
    }

    private static String stored(String files) {
        return "inputs: [{name: in, objectStore: {bucket: inputs}, files: [" + files + "]}]";
    }

    private static Case changed(String before, String accepted, String refused, String message) {
        return new Case(before, accepted, refused, message + FOREVER);
    }

    /** All of them. The fields of a case stand beside a problem of type heat2d; {@code name} is the job's name. */
    static List<Case> all() {
        return List.of(
                created(
                        "name: a-name-of-fifty-characters-is-just-short-enough-12",
                        "name: a-name-of-51-characters-is-a-little-too-long-123456",
                        "metadata.name is \"a-name-of-51-characters-is-a-little-too-long-123456\"; pods and services are named"
                                + " after it: use at most 50 lower case letters, digits and dashes, beginning with a letter"),
                created(
                        "inputs: [{name: in, path: ./data}, {name: b, persistentVolumeClaim: {claimName: b}}]",
                        "inputs: [{name: in}]",
                        "input \"in\" has no source; give objectStore, persistentVolumeClaim (on a cluster) or path (a local"
                                + " folder)"),
                created(
                        "inputs: [{name: in, persistentVolumeClaim: {claimName: b}}]",
                        "inputs: [{name: in, path: a, persistentVolumeClaim: {claimName: b}}]",
                        "input \"in\" has more than one source; keep one of path, persistentVolumeClaim and objectStore"),
                created(
                        "inputs: [{name: in, objectStore: {bucket: inputs}, files: [{name: sub/A.mtx, sha256: " + SHA
                                + "}]}]",
                        "inputs: [{name: in, objectStore: {bucket: inputs}}]",
                        "input \"in\" has objectStore, but no files; list name and sha256 of each file to fetch"),
                created(
                        "inputs: [{name: in, path: a, files: []}]",
                        "inputs: [{name: in, path: a, files: [{name: A.mtx, sha256: " + SHA + "}]}]",
                        "input \"in\" has files, but no objectStore to fetch them from; remove files"),
                created(
                        stored("{name: A.mtx, sha256: " + SHA + "}"),
                        stored("{name: ../A.mtx, sha256: " + SHA + "}"),
                        "name is \"../A.mtx\"; write a path below the prefix, without a / before it and without .."),
                created(
                        stored("{name: A.mtx, sha256: " + SHA + "}"),
                        stored("{name: A.mtx, sha256: abc}"),
                        "sha256 is \"abc\"; write 64 lower case hexadecimal digits, as sha256sum prints them"),
                created(
                        stored("{name: a, sha256: " + SHA + "}, {name: b, sha256: " + SHA + "}"),
                        stored("{name: a, sha256: " + SHA + "}, {name: a, sha256: " + SHA + "}"),
                        "files has two entries of one name among [\"a\", \"a\"]; rename one of them"),
                created(
                        "checkpoint: {objectStore: {bucket: checkpoints}}",
                        "checkpoint: {objectStore: {bucket: checkpoints}, volume: {persistentVolumeClaim: {claimName: a}}}",
                        "spec.checkpoint has volume and objectStore; keep one of them"),
                created(
                        "restoreFrom: {objectStore: {bucket: checkpoints}, job: other}",
                        "restoreFrom: {job: other}",
                        "spec.restoreFrom has no storage; give persistentVolumeClaim or objectStore"),
                created(
                        "restoreFrom: {persistentVolumeClaim: {claimName: a}}",
                        "restoreFrom: {persistentVolumeClaim: {claimName: a}, objectStore: {bucket: checkpoints}}",
                        "spec.restoreFrom has persistentVolumeClaim and objectStore; keep one of them"),
                created(
                        "{suspend: true, checkpoint: {objectStore: {bucket: checkpoints}}}",
                        "{suspend: true, checkpoint: {copies: 1}}",
                        "spec.suspend is true, but there is no storage that the state could go to; give"
                                + " spec.checkpoint.volume or objectStore, which a job must have from its start"),
                created(
                        "inputs: [{name: a, path: a}, {name: b, path: a}]",
                        "inputs: [{name: a, path: a}, {name: b, path: a}, {name: a, path: b}]",
                        "spec.inputs has two entries of one name among [\"a\", \"b\", \"a\"]; rename one of them"),
                created(
                        "inputs: [{name: in-1, path: a}]",
                        "inputs: [{name: In, path: a}]",
                        "name is \"In\"; use lower case letters, digits and dashes, with a letter or digit at both ends"),
                created(
                        "inputs: [{name: in, path: a b}]",
                        "inputs: [{name: in, path: ' '}]",
                        "path is blank; name a folder"),
                created(
                        "inputs: [{name: in, persistentVolumeClaim: {claimName: b, subPath: a/b}}]",
                        "inputs: [{name: in, persistentVolumeClaim: {claimName: b, subPath: a/../b}}]",
                        "subPath is \"a/../b\"; write a path inside the volume, without a / before it and without .."),
                created(
                        "daemons: {replicas: 4, min: 4}",
                        "daemons: {replicas: 4, min: 5}",
                        "spec.daemons.min is 5, above spec.daemons.replicas, which is 4; lower min or raise replicas"),
                created(
                        "daemons: {replicas: 4, max: 4}",
                        "daemons: {max: 3}",
                        "spec.daemons.max is 3, below spec.daemons.replicas, which is 4; raise max or lower replicas"),
                created(
                        "blocks: 1024",
                        "blocks: 1025",
                        "spec.blocks is 1025, but a daemon computes at most 256 blocks and spec.daemons.replicas is 4; lower"
                                + " blocks to 1024 or raise replicas"),
                created(
                        "workerGroups: [{name: a}, {name: b, priority: 10}]",
                        "workerGroups: [{name: a}, {name: a, priority: 10}]",
                        "spec.workerGroups has two entries of one name among [\"a\", \"a\"]; rename one of them"),
                created(
                        "workerGroups: [{name: spot-1}]",
                        "workerGroups: [{name: spot_1}]",
                        "name is \"spot_1\"; use lower case letters, digits and dashes, with a letter or digit at both ends"),
                created(
                        "{daemons: {standbys: 1}, workerGroups: [{name: a, maxReplicas: 2}, {name: b, maxReplicas: 3}]}",
                        "{daemons: {standbys: 2}, workerGroups: [{name: a, maxReplicas: 2}, {name: b, maxReplicas: 3}]}",
                        "spec.workerGroups have room for 5 daemons, but spec.daemons asks for 6, standbys included; raise a"
                                + " maxReplicas or ask for fewer"),
                created(
                        "convergence: {tolerance: '.5E-1'}",
                        "convergence: {tolerance: tiny}",
                        "spec.convergence.tolerance is \"tiny\", must be a positive decimal number; write it as \"1e-6\""),
                created(
                        "convergence: {tolerance: '1e-300'}",
                        "convergence: {tolerance: '0'}",
                        "spec.convergence.tolerance is \"0\", must be a positive decimal number; write it as \"1e-6\""),
                created(
                        "convergence: {tolerance: '1', norm: Absolute}",
                        "convergence: {tolerance: '1'}",
                        "spec.convergence.tolerance is \"1\", must be below 1 in the Relative norm; lower it, or set norm:"
                                + " Absolute"),
                created(
                        "failureDetection: {timeout: 100ms}",
                        "failureDetection: {timeout: 99ms}",
                        "spec.failureDetection.timeout is \"99ms\", must be a duration from 100ms to 1h; write it as 500ms, 2s or"
                                + " 1m"),
                created(
                        "failureDetection: {timeout: 1h}",
                        "failureDetection: {timeout: 2 s}",
                        "spec.failureDetection.timeout is \"2 s\", must be a duration from 100ms to 1h; write it as 500ms, 2s or"
                                + " 1m"),
                created(
                        "failureDetection: {strategy: RandomMonitors, timeout: 5000ms}",
                        "failureDetection: {strategy: RandomMonitors, timeout: 4s}",
                        "spec.failureDetection.timeout is 4s, shorter than the heartbeat period 5s of RandomMonitors; make it 5s"
                                + " or longer, or choose RingWithConfirmation"),
                created(
                        "failureDetection: {strategy: RingWithConfirmation, watchers: 3}",
                        "failureDetection: {strategy: Ring, watchers: 3}",
                        "spec.failureDetection.watchers is 3, but with Ring one worker watches each member; leave it out, or"
                                + " choose RingWithConfirmation"),
                created(
                        "chaos: {pace: 20ms}",
                        "chaos: {pace: 0s}",
                        "spec.chaos.pace is \"0s\", must be a duration from 1ms to 1h; write it as 20ms or 1s"),
                created(
                        "checkpoint: {interval: '100'}",
                        "checkpoint: {interval: often}",
                        "spec.checkpoint.interval is \"often\"; write Auto, or a number of iterations in quotes"),
                created(
                        "{checkpoint: {copies: 4}, daemons: {replicas: 2, standbys: 1}}",
                        "{checkpoint: {copies: 5}, daemons: {replicas: 2, standbys: 1}}",
                        "spec.checkpoint.copies is 5, but beside its owner a block has only 4 workers to be copied to; lower it,"
                                + " or add daemons, standbys or spawners"),
                created(
                        "{suspend: true, checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}}",
                        "suspend: true",
                        "spec.suspend is true, but there is no storage that the state could go to; give"
                                + " spec.checkpoint.volume or objectStore, which a job must have from its start"),
                created(
                        "result: {destination: Volume, volume: {persistentVolumeClaim: {claimName: out}}}",
                        "result: {destination: Volume}",
                        "spec.result.destination is Volume, but spec.result.volume is missing; name a claim there"),
                created(
                        "result: {destination: Lead}",
                        "result: {volume: {persistentVolumeClaim: {claimName: out}}}",
                        "spec.result.destination is Lead, which uses no volume; remove spec.result.volume or set destination:"
                                + " Volume"),
                created(
                        "result: {destination: ObjectStore, objectStore: {bucket: results}}",
                        "result: {destination: ObjectStore}",
                        "spec.result.destination is ObjectStore, but spec.result.objectStore is missing; name a bucket there"),
                created(
                        "result: {destination: Lead}",
                        "result: {objectStore: {bucket: results}}",
                        "spec.result.destination is Lead, which uses no object store; remove spec.result.objectStore or set"
                                + " destination: ObjectStore"),
                created(
                        "result: {destination: ObjectStore, objectStore: {bucket: results, endpoint: 'http://minio:9000'}}",
                        "result: {destination: ObjectStore, objectStore: {bucket: results, endpoint: 'minio:9000'}}",
                        "endpoint is \"minio:9000\"; write it as https://host:port or http://host:port,"
                                + " without a path"),
                created(
                        "result: {destination: ObjectStore, objectStore: {bucket: a.b-c, prefix: team-a/}}",
                        "result: {destination: ObjectStore, objectStore: {bucket: Results}}",
                        "bucket is \"Results\"; the name of a bucket has 3 to 63 lower case letters,"
                                + " digits, dots and dashes"),
                created(
                        "result: {destination: ObjectStore, objectStore: {bucket: results, prefix: a}}",
                        "result: {destination: ObjectStore, objectStore: {bucket: results, prefix: /a}}",
                        "prefix is \"/a\"; write it without a / before it"),
                created(
                        "managedBy: kueue.x-k8s.io/multikueue",
                        "managedBy: kueue",
                        "spec.managedBy is \"kueue\"; write it as domain/path, such as kueue.x-k8s.io/multikueue"),
                changed(
                        "problem: {type: heat2d, parameters: {points: 64}}",
                        "{problem: {type: heat2d, parameters: {points: 64}}, ttlSecondsAfterFinished: 60}",
                        "problem: {type: heat2d, parameters: {points: 65}}",
                        "spec.problem (type heat2d) is not what it was (type heat2d), or its parameters are others"),
                changed(
                        "inputs: [{name: in, path: a}]",
                        "{inputs: [{name: in, path: a}], activeDeadlineSeconds: 60}",
                        "inputs: [{name: in, path: b}]",
                        "spec.inputs, now with 1 entries, is not what it was"),
                changed("blocks: 8", "{blocks: 8, daemons: {replicas: 8}}", "blocks: 9", "spec.blocks is 9, was 8"),
                changed("{}", "daemons: {replicas: 8}", "blocks: 4", "spec.blocks is 4, was not set"),
                changed(
                        "scheme: Synchronous",
                        "{scheme: Synchronous, podRetention: All}",
                        "scheme: Asynchronous",
                        "spec.scheme is Asynchronous, was Synchronous"),
                changed(
                        "convergence: {tolerance: '1e-5'}",
                        "{convergence: {tolerance: '1e-5'}, failurePolicy: {maxRetries: 9}}",
                        "convergence: {tolerance: '1e-4'}",
                        "spec.convergence (tolerance 1e-4, Relative) is not what it was (tolerance 1e-5, Relative)"),
                changed(
                        "failureDetection: {timeout: 2s}",
                        "{failureDetection: {timeout: 2s}, preRunningDeadlineSeconds: 60}",
                        "failureDetection: {strategy: Centralised, timeout: 2s}",
                        "spec.failureDetection (Centralised) is not what it was (RingWithConfirmation)"),
                changed(
                        "checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}",
                        "{checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}, suspend: true}",
                        "checkpoint: {copies: 3}",
                        "spec.checkpoint (copies 3, interval Auto) is not what it was (copies 2, interval Auto), or its storage is"
                                + " another"),
                changed(
                        "restoreFrom: {persistentVolumeClaim: {claimName: a}}",
                        "{restoreFrom: {persistentVolumeClaim: {claimName: a}}, daemons: {standbys: 1}}",
                        "{}",
                        "spec.restoreFrom (not set) is not what it was (a)"),
                created(
                        "{initialGuess: 'in:u.npy', inputs: [{name: in, path: a}]}",
                        "{initialGuess: 'out:u.npy', inputs: [{name: in, path: a}]}",
                        "spec.initialGuess is \"out:u.npy\", which begins with the name of no entry of spec.inputs; write it as"
                                + " NAME:FILE.npy or NAME:FOLDER"),
                created(
                        "{initialGuess: 'in:result.zarr', inputs: [{name: in, path: a}]}",
                        "{initialGuess: 'in:result.zarr', inputs: [{name: in, path: a}], restoreFrom: {objectStore: {bucket:"
                                + " checkpoints}}}",
                        "spec.initialGuess is \"in:result.zarr\", but spec.restoreFrom names a vector to start from too; keep one"
                                + " of them"),
                changed(
                        "{initialGuess: 'in:a.npy', inputs: [{name: in, path: a}]}",
                        "{initialGuess: 'in:a.npy', inputs: [{name: in, path: a}], daemons: {standbys: 1}}",
                        "{initialGuess: 'in:b.npy', inputs: [{name: in, path: a}]}",
                        "spec.initialGuess is in:b.npy, was in:a.npy"),
                changed(
                        "result: {destination: Lead}",
                        "{result: {destination: Lead}, workerGroups: [{name: spot}]}",
                        "result: {destination: Local}",
                        "spec.result (Local) is not what it was (Lead), or its storage or everySteps is another"),
                changed(
                        "result: {everySteps: 4}",
                        "{result: {everySteps: 4}, daemons: {standbys: 1}}",
                        "result: {everySteps: 2}",
                        "spec.result (Lead) is not what it was (Lead), or its storage or everySteps is another"),
                changed(
                        "managedBy: volary.dev/operator",
                        "{managedBy: volary.dev/operator, daemons: {max: 9}}",
                        "managedBy: kueue.x-k8s.io/multikueue",
                        "spec.managedBy is kueue.x-k8s.io/multikueue, was volary.dev/operator"),
                changed(
                        "chaos: {allowed: false}",
                        "{chaos: {allowed: false}, daemons: {min: 1}}",
                        "chaos: {allowed: true}",
                        "spec.chaos (allowed true, pace not set) is not what it was (allowed false, pace not set)"),
                changed(
                        "spawners: {replicas: 2}",
                        "spawners: {replicas: 2, template: {spec: {priorityClassName: high}}}",
                        "spawners: {replicas: 3}",
                        "spec.spawners.replicas is 3, was 2"),
                changed(
                        "{}",
                        "daemons: {replicas: 8}",
                        "spawners: {replicas: 2}",
                        "spec.spawners.replicas is 2, was not set"),
                created(
                        "{daemons: {replicas: 62, standbys: 2}, spawners: {replicas: 2}}",
                        "{daemons: {replicas: 33}, spawners: {replicas: 1}}",
                        "spec.spawners.replicas is 1, but one spawner manages at most 32 daemons and spec.daemons allows 33,"
                                + " standbys included; set it to 2 or leave it out"),
                created(
                        "daemons: {replicas: 10000, standbys: 10000}",
                        "{daemons: {replicas: 4, max: 64, standbys: 1}, spawners: {replicas: 2}}",
                        "spec.spawners.replicas is 2, but one spawner manages at most 32 daemons and spec.daemons allows 65,"
                                + " standbys included; set it to 3 or leave it out"),
                created(
                        "{scheme: Asynchronous, convergence: {detector: TreeVerification}}",
                        "{scheme: Synchronous, convergence: {detector: TreeVerification}}",
                        "spec.convergence.detector is TreeVerification, which is for the scheme Asynchronous; leave it out with"
                                + " Synchronous"),
                changed(
                        "failurePolicy: {blockAttempts: 3}",
                        "failurePolicy: {blockAttempts: 3, maxRetries: 0}",
                        "failurePolicy: {blockAttempts: 4}",
                        "spec.failurePolicy.blockAttempts is 4, was 3"));
    }
}
