import type { Recorded } from '../../src/kernel/event.js';
import type { Repetition } from '../support/invariants/answers.js';
import type { ToldRefusal } from '../support/invariants/told-refusals.js';
import type { Write } from '../support/invariants/writes.js';
import type { Received } from '../support/receiver.js';

/** The observations of a whole trial. */
export interface Findings {
  readonly log: readonly Recorded[];
  /** The log as read in parts, after each crash. */
  readonly seen: readonly Recorded[];
  readonly writes: readonly Write[];
  readonly requests: readonly Received[];
  /** The first response of each idempotency key and its repetition at the end. */
  readonly repetitions: readonly Repetition[];
  /** The signing secrets, by the id of the request whose response showed them. */
  readonly signingSecrets: ReadonlyMap<string, string>;
  /** Checkpoints that were ahead of the log or moved back. */
  readonly strays: readonly string[];
  /** Crash points at which the process did not crash. */
  readonly survived: readonly string[];
  /** Milliseconds from each kill or stop of a process until all consumers had passed the head of that time. */
  readonly takeovers: readonly number[];
  /** The work that was left at the timeout. */
  readonly unsettled: readonly string[];
  readonly exitCodes: readonly (number | null)[];
  /** The last output of processes that ended unexpectedly. */
  readonly fallen: readonly string[];
  /** Every 404, 409 and 422 that a client got. */
  readonly refusals: readonly ToldRefusal[];
  /** Unexpected errors, if the trial tolerates them. */
  readonly surprises: readonly string[];
}
