import type { Context } from '../../src/kernel/context.js';
import { ConsistencyContext } from '../../src/kernel/context.js';
import type { Decider } from '../../src/kernel/decider.js';
import { type NewEvent, typesOf } from '../../src/kernel/event.js';
import { uuidV5 } from '../../src/kernel/ids.js';
import type { Projection } from '../../src/kernel/projection.js';
import { Rejection } from '../../src/kernel/rejection.js';

/** A domain object for engine tests: a jar takes coins until it is broken. */
export type JarEvent =
  | {
      readonly type: 'CoinsAdded';
      readonly data: { readonly jarId: string; readonly coins: number; readonly coinId?: string };
    }
  | { readonly type: 'JarBroken'; readonly data: { readonly jarId: string } };

export const JAR_TYPES = typesOf<JarEvent>({ CoinsAdded: true, JarBroken: true });

export type CoinsAdded = Extract<JarEvent, { type: 'CoinsAdded' }>;
export const COINS_ADDED = typesOf<CoinsAdded>({ CoinsAdded: true });

export interface Jar {
  readonly coins: number;
  readonly broken: boolean;
}

export type JarCommand =
  | { readonly type: 'AddCoins'; readonly jarId: string; readonly coins: number; readonly times?: number }
  | { readonly type: 'BreakJar'; readonly jarId: string };

const initial: Jar = { coins: 0, broken: false };

function evolve(jar: Jar, event: JarEvent): Jar {
  switch (event.type) {
    case 'CoinsAdded':
      return { ...jar, coins: jar.coins + event.data.coins };
    case 'JarBroken':
      return { ...jar, broken: true };
  }
}

export const jar: Decider<Jar, JarCommand, JarEvent> = {
  category: 'jar',
  versions: { CoinsAdded: 1, JarBroken: 1 },
  initial,
  evolve,
  decide(command, state, x) {
    const { jarId } = command;
    switch (command.type) {
      case 'AddCoins':
        if (state.broken) throw new Rejection('operation_refused', 'The jar is broken.');
        return Array.from({ length: command.times ?? 1 }, () => ({
          type: 'CoinsAdded' as const,
          data: { jarId, coins: command.coins, coinId: x.createId('coin') },
        }));
      case 'BreakJar':
        return state.broken ? [] : [{ type: 'JarBroken', data: { jarId } }];
    }
  },
};

export interface JarDocument {
  readonly id: string;
  readonly coins: number;
  /** Reveals an event that was applied twice or skipped. */
  readonly events: readonly string[];
  readonly created_at: string;
}

export const jars: Projection<JarDocument> = {
  name: 'jars',
  version: 1,
  indexes: [['created_at']],
  id: ({ data }) => (data as { jarId: string }).jarId,
  on: {
    CoinsAdded: (document, { id, data, meta }) => ({
      id: data.jarId as string,
      coins: (document?.coins ?? 0) + (data.coins as number),
      events: [...(document?.events ?? []), id],
      created_at: document?.created_at ?? meta.at,
    }),
    JarBroken: () => null,
  },
};

/** The same projection, except that it fails on an event with thirteen coins. */
export const poisonedJars: Projection<JarDocument> = {
  ...jars,
  on: {
    ...jars.on,
    CoinsAdded: (document, event, id) => {
      if (event.data.coins === 13) throw new Error('thirteen');
      return jars.on.CoinsAdded!(document, event, id);
    },
  },
};

/** Another projection, of events that the jars projection ignores. */
export interface LidDocument {
  readonly id: string;
  readonly events: readonly string[];
}

export const lids = {
  name: 'lids',
  version: 1,
  indexes: [],
  id: ({ data }: { data: object }) => (data as { lidId: string }).lidId,
  on: {
    LidClosed: (document: LidDocument | null, { id, data }: { id: string; data: { lidId: string } }) => ({
      id: data.lidId,
      events: [...(document?.events ?? []), id],
    }),
  },
};

export function createContext(command: string, position = ''): Context {
  return {
    commandId: uuidV5('00000000-0000-4000-8000-000000000000', command),
    at: Date.parse('2026-02-01T09:00:00.000Z'),
    correlationId: 'req_1',
    causationId: 'req_1',
    actor: { type: 'system', id: 'test' },
    business: 'biz_1',
    mode: 'test',
    requestId: 'req_1',
    consistency: new ConsistencyContext(position),
  };
}

/** Creates an event with the metadata of a command; the same label gives the same event id. */
export function createEvent(label: string, type: string, data: object, at = '2026-02-01T09:00:00.000Z'): NewEvent {
  const { commandId, correlationId, causationId, actor, business, mode, requestId } = createContext(label);
  const id = uuidV5(commandId, 0);
  return {
    id,
    type,
    data,
    meta: { at, command: 'Test', commandId, correlationId, causationId, actor, business, mode, requestId, v: 1 },
  };
}

export function coinsAdded(jarId: string, label: string, coins = 1): NewEvent {
  return createEvent(`${jarId}:${label}`, 'CoinsAdded', { jarId, coins });
}

export function jarBroken(jarId: string, label = 'broken'): NewEvent {
  return createEvent(`${jarId}:${label}`, 'JarBroken', { jarId });
}

export function lidClosed(lidId: string, label: string): NewEvent {
  return createEvent(`${lidId}:${label}`, 'LidClosed', { lidId });
}
