import type { Decider } from '../../src/kernel/decider.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Projection } from '../../src/kernel/projection.js';
import type { Upcasters } from '../../src/kernel/upcasting.js';
import { jar, type JarDocument, jars } from '../support/jar.js';

type DecidesLikeJar<D> = D extends Decider<infer S, infer C, infer E> ? Decider<S, C, E> : never;
type AnyJar = DecidesLikeJar<typeof jar>;
type Coins = { readonly coins: number };

/** The decider of newer code: it records coins as text. Older code does not know this version and must not fold it. */
export const newerJar: AnyJar = {
  ...jar,
  versions: { ...jar.versions, CoinsAdded: 2 },
  evolve: (state, event) =>
    jar.evolve(state, event.type === 'CoinsAdded' ? { ...event, data: toNumbers(event.data) } : event),
  decide: (command, state, decision) =>
    jar
      .decide(command, state, decision)
      .map((event) => (event.type === 'CoinsAdded' ? { ...event, data: toText(event.data) } : event)),
};

/** The projection of newer code. It folds both versions, so it also serves as the reference. */
export const newerJars: Projection<JarDocument> = {
  ...jars,
  on: {
    ...jars.on,
    CoinsAdded: (document, event, id) => jars.on.CoinsAdded!(document, { ...event, data: toNumbers(event.data) }, id),
  },
};

export const newerUpcasters: Upcasters = {
  'CoinsAdded@1': (event: RecordedEvent) => ({
    ...event,
    data: toText(event.data as Coins),
    meta: { ...event.meta, v: 2 },
  }),
};

function toText<D extends Coins>(data: D): D {
  return { ...data, coins: String(data.coins) as unknown as number };
}

function toNumbers<D extends Coins>(data: D): D {
  return { ...data, coins: Number(data.coins) };
}
