import type { Recorded } from '../../src/kernel/event.js';
import type { Repetition } from '../support/invariants/answers.js';
import type { ToldRefusal } from '../support/invariants/told-refusals.js';
import type { Write } from '../support/invariants/writes.js';
import type { Received } from '../support/receiver.js';

/** What is left when all is over. */
export interface Findings {
  readonly log: readonly Recorded[];
  /** The log as it was read bit by bit, after each death. */
  readonly seen: readonly Recorded[];
  readonly writes: readonly Write[];
  readonly requests: readonly Received[];
  /** What was answered under each key, and what it was answered when all was over. */
  readonly repetitions: readonly Repetition[];
  /** By the request that was told them. */
  readonly signingSecrets: ReadonlyMap<string, string>;
  /** Checkpoints that were ahead of the log, or had moved back. */
  readonly strays: readonly string[];
  /** Crash points at which the process did not die. */
  readonly survived: readonly string[];
  /** Milliseconds from the end or the stop of each process to when all that it ran had come past what was in the log then. */
  readonly takeovers: readonly number[];
  /** What was still to be done when patience ended. */
  readonly unsettled: readonly string[];
  readonly exitCodes: readonly (number | null)[];
  /** Processes that ended by themselves. */
  readonly fallen: readonly string[];
  /** Every 404, 409 and 422 that somebody was told. */
  readonly refusals: readonly ToldRefusal[];
  /** Answers that nobody expected, where the trial goes on after one. */
  readonly surprises: readonly string[];
}
