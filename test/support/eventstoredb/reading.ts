import { once, type EventEmitter } from 'node:events';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { DatabaseLog, Stored } from './log.ts';
import { caughtUp, checkpoint, confirmation, eventMessage, nameIn, streamDeleted, streamNotFound } from './messages.ts';

type Options = streams.ReadReq.Options;
/** A call that sends messages or messages that are already serialised. */
export type Call = ServerWritableStream<streams.ReadReq, streams.ReadResp | Buffer>;

const BACKWARDS = streams.ReadReq.Options.ReadDirection.BACKWARDS;
/** A filtered subscription gets a checkpoint after this number of events that the filter excluded. */
const CHECKPOINT_EVENTS = 32;

const serialised = new WeakMap<Stored, Buffer>();

function eventBytes(event: Stored): Buffer {
  const known = serialised.get(event);
  if (known !== undefined) return known;
  const bytes = Buffer.from(eventMessage(event).serializeBinary());
  serialised.set(event, bytes);
  return bytes;
}

export function serveStream(log: DatabaseLog, call: Call, options: Options): void {
  const stream = nameIn(options.getStream()!);
  if (log.isDeleted(stream)) throw streamDeleted(stream);
  const events = log.stream(stream);
  if (events.length === 0) call.write(streamNotFound(stream));
  for (const event of streamRange(events, options)) call.write(eventBytes(event));
  call.end();
}

function streamRange(events: readonly Stored[], options: Options): readonly Stored[] {
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
export function serveAll(log: DatabaseLog, call: Call, options: Options): void {
  const asked = options.getAll()!;
  const count = Number(options.getCount());
  const place = asked.hasPosition()
    ? log.countBefore(Number(asked.getPosition()!.getCommitPosition()))
    : asked.hasEnd()
      ? log.all.length
      : 0;
  const backwards = options.getReadDirection() === BACKWARDS;
  const events = backwards ? log.all.slice(Math.max(0, place - count), place).reverse() : log.all.slice(place, place + count);
  for (const event of events) call.write(eventBytes(event));
  call.end();
}

export interface Subscribing {
  /** Sends a checkpoint of the end of the log before the events that precede it. */
  readonly rash: boolean;
  /** Resolves while the node runs. */
  readonly awake: () => Promise<void>;
}

/** Serves a subscription: the events after the position, then new events. */
export async function serveSubscription(log: DatabaseLog, call: Call, options: Options, { rash, awake }: Subscribing): Promise<void> {
  const prefixes = options.getFilter()?.getStreamIdentifier()?.getPrefixList();
  let next = startOf(log, options);
  let unsent = 0;
  call.write(confirmation());
  for (let isFirst = true; !call.cancelled && !call.destroyed; isFirst = false) {
    if (rash && prefixes && next < log.all.length) call.write(checkpoint(log.all.at(-1)!));
    for (; next < log.all.length && !call.cancelled; next++) {
      const event = log.all[next]!;
      if (prefixes === undefined || prefixes.some((prefix) => event.stream.startsWith(prefix))) await sent(call, eventBytes(event));
      else if (++unsent % CHECKPOINT_EVENTS === 0) call.write(checkpoint(event));
    }
    if (isFirst) call.write(caughtUp());
    if (next === log.all.length) await firstOf([log.news, 'appended'], [call, 'cancelled'], [call, 'close']);
    await awake();
  }
}

function startOf(log: DatabaseLog, options: Options): number {
  const asked = options.getAll()!;
  if (asked.hasEnd()) return log.all.length;
  if (!asked.hasPosition()) return 0;
  const commit = Number(asked.getPosition()!.getCommitPosition());
  const place = log.countBefore(commit);
  return log.all[place]?.commit === commit ? place + 1 : place;
}

async function sent(call: Call, bytes: Buffer): Promise<void> {
  if (!call.write(bytes)) await firstOf([call, 'drain'], [call, 'cancelled'], [call, 'close']);
}

async function firstOf(...events: readonly (readonly [EventEmitter, string])[]): Promise<void> {
  const heard = new AbortController();
  await Promise.race(events.map(([emitter, name]) => once(emitter, name, { signal: heard.signal })));
  heard.abort();
}
