import { type EventEmitter, once } from 'node:events';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { DatabaseLog, StoredEvent } from './log.ts';
import {
  createCaughtUp,
  createConfirmation,
  createStreamDeletedError,
  createStreamNotFound,
  parseStreamName,
  toCheckpoint,
  toEventMessage,
} from './messages.ts';

type Options = streams.ReadReq.Options;
/** A call that sends messages or messages that are already serialised. */
export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp | Buffer>;

const BACKWARDS = streams.ReadReq.Options.ReadDirection.BACKWARDS;
/** A filtered subscription gets a checkpoint after this number of events that the filter excluded. */
const CHECKPOINT_EVENTS = 32;

const serialised = new WeakMap<StoredEvent, Buffer>();

function serialiseEvent(event: StoredEvent): Buffer {
  const known = serialised.get(event);
  if (known !== undefined) return known;
  const bytes = Buffer.from(toEventMessage(event).serializeBinary());
  serialised.set(event, bytes);
  return bytes;
}

export function serveStream(log: DatabaseLog, call: ReadCall, options: Options): void {
  const stream = parseStreamName(options.getStream()!);
  if (log.isDeleted(stream)) throw createStreamDeletedError(stream);
  const events = log.readStream(stream);
  if (events.length === 0) call.write(createStreamNotFound(stream));
  for (const event of selectStreamEvents(events, options)) call.write(serialiseEvent(event));
  call.end();
}

function selectStreamEvents(events: readonly StoredEvent[], options: Options): readonly StoredEvent[] {
  const asked = options.getStream()!;
  const count = Number(options.getCount());
  if (options.getReadDirection() === BACKWARDS) {
    const end = asked.hasRevision() ? Number(asked.getRevision()) + 1 : events.length;
    return events.slice(Math.max(0, end - count), end).reverse();
  }
  const start = asked.hasRevision() ? Number(asked.getRevision()) : asked.hasEnd() ? events.length : 0;
  return events.slice(start, start + count);
}

/** Serves a read of all events: forwards from the event at the position, backwards from the event before it. */
export function serveAll(log: DatabaseLog, call: ReadCall, options: Options): void {
  const asked = options.getAll()!;
  const count = Number(options.getCount());
  const index = asked.hasPosition()
    ? log.countBefore(Number(asked.getPosition()!.getCommitPosition()))
    : asked.hasEnd()
      ? log.all.length
      : 0;
  const backwards = options.getReadDirection() === BACKWARDS;
  const events = backwards
    ? log.all.slice(Math.max(0, index - count), index).reverse()
    : log.all.slice(index, index + count);
  for (const event of events) call.write(serialiseEvent(event));
  call.end();
}

export interface SubscriptionServing {
  /** Sends a checkpoint of the end of the log before the events that precede it. */
  readonly prematureCheckpoints: boolean;
  /** Whether the server reports the end of the log: it does not while others write without a pause. */
  readonly reportsEnd: boolean;
  /** Resolves while the node runs. */
  readonly waitWhilePaused: () => Promise<void>;
}

/** Serves a subscription: the events after the position, then new events. */
export async function serveSubscription(
  log: DatabaseLog,
  call: ReadCall,
  options: Options,
  { prematureCheckpoints, reportsEnd, waitWhilePaused }: SubscriptionServing,
): Promise<void> {
  const prefixes = options.getFilter()?.getStreamIdentifier()?.getPrefixList();
  let next = findStart(log, options);
  let unsent = 0;
  call.write(createConfirmation());
  for (let isFirst = true; !call.cancelled && !call.destroyed; isFirst = false) {
    if (prematureCheckpoints && prefixes && next < log.all.length) call.write(toCheckpoint(log.all.at(-1)!));
    for (; next < log.all.length && !call.cancelled; next++) {
      const event = log.all[next]!;
      if (prefixes === undefined || prefixes.some((prefix) => event.stream.startsWith(prefix)))
        await send(call, serialiseEvent(event));
      else if (++unsent % CHECKPOINT_EVENTS === 0) call.write(toCheckpoint(event));
    }
    if (isFirst && reportsEnd) call.write(createCaughtUp());
    if (next === log.all.length) await waitForFirst([log.notifier, 'appended'], [call, 'cancelled'], [call, 'close']);
    await waitWhilePaused();
  }
}

function findStart(log: DatabaseLog, options: Options): number {
  const asked = options.getAll()!;
  if (asked.hasEnd()) return log.all.length;
  if (!asked.hasPosition()) return 0;
  const commit = Number(asked.getPosition()!.getCommitPosition());
  const index = log.countBefore(commit);
  return log.all[index]?.commit === commit ? index + 1 : index;
}

async function send(call: ReadCall, bytes: Buffer): Promise<void> {
  if (!call.write(bytes)) await waitForFirst([call, 'drain'], [call, 'cancelled'], [call, 'close']);
}

async function waitForFirst(...events: readonly (readonly [EventEmitter, string])[]): Promise<void> {
  const heard = new AbortController();
  await Promise.race(events.map(([emitter, name]) => once(emitter, name, { signal: heard.signal })));
  heard.abort();
}
