import { ErrorType, isCommandError, NotLeaderError } from '@eventstore/db-client';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { MalformedEvent } from './events.js';
import type { Position } from '../../kernel/position.js';
import type { Node } from './node-client.js';
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

/** The cluster has another leader than the node that does not answer the call. */
export class Replaced extends Error {
  constructor() {
    super('the node does not answer, and another one leads the cluster');
    this.name = 'Replaced';
  }
}

/** The node has not shown what this process knows to be in the log: it was the leader, or is about to be told so. */
export class Behind extends Error {
  constructor({ address, port }: Node) {
    super(`the node ${address}:${port} lacks what the log is known to have`);
    this.name = 'Behind';
  }
}

/** No node reaches where a follower begins: the log is older than its checkpoint. */
export class Ahead extends Error {
  constructor(position: Position) {
    super(`the log ends before ${position}, where it is to be followed from`);
    this.name = 'Ahead';
  }
}

/** The connection was left while the call was under way: what was read may be older than what is known. */
export class LeftMeanwhile extends Error {
  constructor() {
    super('the connection was lost meanwhile');
    this.name = 'LeftMeanwhile';
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

/** Whoever was asked does not lead. */
export function isElsewhere(error: unknown): boolean {
  return typeOf(error) === ErrorType.NOT_LEADER;
}

/** Where the leader is, as the node that was asked has it. */
export function leaderIn(error: unknown): Node | null {
  return error instanceof NotLeaderError && error.leader.address !== '' ? error.leader : null;
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
