import { ErrorType, isCommandError } from '@eventstore/db-client';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { MalformedEvent } from './events.js';
import { ForeignPosition } from './positions.js';

/** The store is not there, or did not say what became of the call. All else is an answer. */
const ABSENT: readonly string[] = [
  ErrorType.UNAVAILABLE,
  ErrorType.CANCELLED,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.TIMEOUT,
  ErrorType.UNKNOWN,
  ErrorType.NOT_LEADER,
];
/** No connection came to be, so nothing was sent. */
const NEVER_SENT = /No connection established|Name resolution failed|Failed to discover/;

/** The client had no answer when the time of a call was up, though it counts itself. */
export class Overdue extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
    this.name = 'Overdue';
  }
}

export function typeOf(error: unknown): ErrorType | undefined {
  return error instanceof Error && isCommandError(error) ? error.type : undefined;
}

/** What is no error of a command comes from below: a channel that is closed, a cluster that is not found, a raw status. */
export function isAbsence(error: unknown): boolean {
  const type = typeOf(error);
  if (type !== undefined) return ABSENT.includes(type);
  return !(error instanceof MalformedEvent || error instanceof ForeignPosition);
}

/** The connection hangs: what else waits on it waits in vain. */
export function isSilence(error: unknown): boolean {
  return error instanceof Overdue || typeOf(error) === ErrorType.DEADLINE_EXCEEDED;
}

/** Whoever was asked does not lead. */
export function isElsewhere(error: unknown): boolean {
  return typeOf(error) === ErrorType.NOT_LEADER;
}

export function unavailable(error: unknown, writes: boolean): StoreUnavailable {
  const message = error instanceof Error ? error.message : String(error);
  const isNotWritten = isElsewhere(error) || NEVER_SENT.test(message);
  return new StoreUnavailable(`EventStoreDB: ${message}`, writes && !isNotWritten, { cause: error });
}
