import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Repetition } from '../support/invariants/idempotent-responses.js';
import type { RejectedRequest } from '../support/invariants/rejections.js';
import type { Write } from '../support/invariants/writes.js';
import type { ReceivedRequest } from '../support/receiver.js';

/** The observations of a whole trial. */
export interface TrialResults {
  readonly log: readonly RecordedEvent[];
  /** The log as read in parts, after each crash. */
  readonly seen: readonly RecordedEvent[];
  readonly writes: readonly Write[];
  readonly requests: readonly ReceivedRequest[];
  /** The first response of each idempotency key and its repetition at the end. */
  readonly repetitions: readonly Repetition[];
  /** The signing secrets, by the id of the request whose response showed them. */
  readonly signingSecrets: ReadonlyMap<string, string>;
  /** Checkpoints that were ahead of the log or moved back. */
  readonly strayCheckpoints: readonly string[];
  /** Crash points at which the process did not crash. */
  readonly missedCrashPoints: readonly string[];
  /** Milliseconds from each kill or stop of a process until all consumers had passed the head of that time. */
  readonly takeovers: readonly number[];
  /** The work that was left at the timeout. */
  readonly unfinishedWork: readonly string[];
  readonly exitCodes: readonly (number | null)[];
  /** The last output of processes that ended unexpectedly. */
  readonly unexpectedEnds: readonly string[];
  /** Every 404, 409 and 422 that a client got. */
  readonly rejections: readonly RejectedRequest[];
  /** Unexpected errors, if the trial tolerates them. */
  readonly unexpectedErrors: readonly string[];
}
