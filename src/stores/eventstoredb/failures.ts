import { ErrorType, isCommandError } from '@eventstore/db-client';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { MalformedEvent } from './events.js';
import { ForeignPosition } from './positions.js';

/** What is said of the call itself: no repetition of it and no operator makes it another one. */
const ANSWERS: readonly string[] = [
  ErrorType.WRONG_EXPECTED_VERSION,
  ErrorType.STREAM_NOT_FOUND,
  ErrorType.STREAM_DELETED,
  ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED,
  ErrorType.INVALID_ARGUMENT,
];
/** The store is not there, or did not say what became of the call. */
const SILENCES: readonly string[] = [
  ErrorType.UNAVAILABLE,
  ErrorType.CANCELLED,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.TIMEOUT,
  ErrorType.UNKNOWN,
  ErrorType.NOT_LEADER,
];
/** No connection came to be, so nothing was sent. */
const NEVER_SENT = /No connection established|Name resolution failed|Failed to discover/;
/** In gRPC: it is not known who asks. */
const UNAUTHENTICATED = 16;

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

/** All else is the store's failure, and what is no error of a command comes from below: a closed channel, a lost cluster, a raw status. */
export function isAnswer(error: unknown): boolean {
  const type = typeOf(error);
  if (type !== undefined) return ANSWERS.includes(type);
  return error instanceof MalformedEvent || error instanceof ForeignPosition;
}

/** The store is there, has done nothing, and will do nothing before an operator has mended something. */
export function isRefusal(error: unknown): boolean {
  const type = typeOf(error);
  return type !== undefined && !ANSWERS.includes(type) && !SILENCES.includes(type);
}

/** The connection hangs: what else waits on it waits in vain. */
export function isSilence(error: unknown): boolean {
  return error instanceof Overdue || typeOf(error) === ErrorType.DEADLINE_EXCEEDED;
}

/** Whoever was asked does not lead. */
export function isElsewhere(error: unknown): boolean {
  return typeOf(error) === ErrorType.NOT_LEADER;
}

/** @param right what its user has to be allowed to do, for the call */
export function unavailable(error: unknown, writes: boolean, right: string): StoreUnavailable {
  const message = messageOf(error, right);
  const isNotWritten = isElsewhere(error) || isRefusal(error) || NEVER_SENT.test(message);
  return new StoreUnavailable(`EventStoreDB: ${message}`, writes && !isNotWritten, { cause: error });
}

function messageOf(error: unknown, right: string): string {
  if (!(error instanceof Error)) return String(error);
  if (typeOf(error) !== ErrorType.ACCESS_DENIED) return error.message;
  const isUnknown = (error as { readonly code?: unknown }).code === UNAUTHENTICATED;
  return isUnknown ? 'access denied: it does not know this user and password, or certificate' : `access denied: its user may not ${right}`;
}
