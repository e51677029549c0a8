import { ErrorType, isCommandError, NotLeaderError } from '@eventstore/db-client';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { MalformedEvent } from '../../kernel/unreadable-event.js';
import type { Node } from './node-client.js';
import { ForeignPosition } from './positions.js';

/** Errors about the call itself: neither a retry nor an operator can change them. */
const PERMANENT: readonly string[] = [
  ErrorType.WRONG_EXPECTED_VERSION,
  ErrorType.STREAM_NOT_FOUND,
  ErrorType.STREAM_DELETED,
  ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED,
  ErrorType.INVALID_ARGUMENT,
];
/** The store is unavailable, or did not report the outcome of the call. */
const TRANSIENT: readonly string[] = [
  ErrorType.UNAVAILABLE,
  ErrorType.CANCELLED,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.TIMEOUT,
  ErrorType.UNKNOWN,
  ErrorType.NOT_LEADER,
];
/** No connection was established, so nothing was sent. */
const NEVER_SENT = /No connection established|Name resolution failed|Failed to discover/;
/** The gRPC status for unknown credentials. */
const UNAUTHENTICATED = 16;

/** The call exceeded its deadline, and the client did not end it. */
export class CallTimeout extends Error {
  constructor(ms: number) {
    super(`no response within ${ms} ms`);
    this.name = 'CallTimeout';
  }
}

/** The node does not respond, and another node is the leader of the cluster. */
export class LeaderReplaced extends Error {
  constructor() {
    super('the node does not respond, and another node is the leader of the cluster');
    this.name = 'LeaderReplaced';
  }
}

/** The node lacks a position that this process has seen: it was deposed as leader, or is not up to date yet. */
export class StaleNode extends Error {
  constructor({ address, port }: Node) {
    super(`the node ${address}:${port} lacks acknowledged events`);
    this.name = 'StaleNode';
  }
}

/** The log ends before the checkpoint of a follower. */
export class PositionNotReached extends Error {
  constructor(position: Position) {
    super(`the log ends before ${position}, the position to follow it from`);
    this.name = 'PositionNotReached';
  }
}

/** The link was retired during the call: the result may lack events that this process has seen. */
export class LinkRetired extends Error {
  constructor() {
    super('the connection was lost during the call');
    this.name = 'LinkRetired';
  }
}

export function errorTypeOf(error: unknown): ErrorType | undefined {
  return error instanceof Error && isCommandError(error) ? error.type : undefined;
}

/**
 * Returns whether the error is about the call itself. All other errors are failures of the store; those without a
 * type come from lower layers, such as a closed channel or a raw status.
 */
export function isPermanent(error: unknown): boolean {
  const type = errorTypeOf(error);
  if (type !== undefined) return PERMANENT.includes(type);
  return error instanceof MalformedEvent || error instanceof ForeignPosition;
}

/** Returns whether the store has refused the call and will refuse it until an operator repairs something. */
export function needsOperator(error: unknown): boolean {
  const type = errorTypeOf(error);
  return type !== undefined && !PERMANENT.includes(type) && !TRANSIENT.includes(type);
}

/** Returns whether the call got no response in time. */
export function isTimeout(error: unknown): boolean {
  const type = errorTypeOf(error);
  return error instanceof CallTimeout || type === ErrorType.DEADLINE_EXCEEDED || type === ErrorType.TIMEOUT;
}

/** Returns whether the called node is not the leader. */
export function isNotLeader(error: unknown): boolean {
  return errorTypeOf(error) === ErrorType.NOT_LEADER;
}

/** Returns the leader that the called node has named. */
export function findLeader(error: unknown): Node | null {
  return error instanceof NotLeaderError && error.leader.address !== '' ? error.leader : null;
}

/** Converts the error of a call that needs this permission. */
export function toUnavailable(error: unknown, writes: boolean, permission: string): StoreUnavailable {
  const message = toMessage(error, permission);
  const isNotWritten = isNotLeader(error) || needsOperator(error) || NEVER_SENT.test(message);
  return new StoreUnavailable(`EventStoreDB: ${message}`, writes && !isNotWritten, { cause: error });
}

function toMessage(error: unknown, permission: string): string {
  if (!(error instanceof Error)) return String(error);
  if (errorTypeOf(error) !== ErrorType.ACCESS_DENIED) return error.message;
  const isUnknown = (error as { readonly code?: unknown }).code === UNAUTHENTICATED;
  return isUnknown
    ? 'access denied: unknown user and password, or certificate'
    : `access denied: the user may not ${permission}`;
}
