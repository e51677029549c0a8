import { randomUUID } from 'node:crypto';
import type { Context } from '../../src/kernel/context.js';
import type { Decider } from '../../src/kernel/decider.js';
import type { EventStore } from '../../src/kernel/event-store.js';
import { importBuilt } from './built.ts';
import { createEvent, createStreamName } from './log.ts';

const { Streams } =
  await importBuilt<typeof import('../../src/engine/streams/streams.js')>('engine/streams/streams.js');
const { SystemClock, SystemRandom } = await importBuilt<typeof import('../../src/kernel/clock.js')>('kernel/clock.js');
const { ConsistencyContext } = await importBuilt<typeof import('../../src/kernel/context.js')>('kernel/context.js');

const { type, data, meta } = createEvent();

const jar: Decider<number, { readonly type: 'AddCoins' }, { readonly type: string; readonly data: object }> = {
  category: 'jar',
  versions: { [type]: 1 },
  initial: 0,
  evolve: (events) => events + 1,
  decide: () => [{ type, data }],
};

/** Creates a function that executes a command, which records one event in a new stream. */
export function createAppender(store: EventStore): () => Promise<unknown> {
  const streams = new Streams(store, new SystemClock(), new SystemRandom());
  return () => streams.execute(jar, createStreamName(), { type: 'AddCoins' }, createContext(randomUUID()));
}

function createContext(commandId: string): Context {
  const { correlationId, causationId, actor, business, mode, requestId } = meta;
  return {
    commandId,
    at: 0,
    correlationId,
    causationId,
    actor,
    business,
    mode,
    requestId,
    consistency: new ConsistencyContext(),
  };
}
