import type { Decider } from '../../src/kernel/decider.js';
import type { Upcasters } from '../../src/kernel/upcasting.js';
import { jar } from '../support/jar.js';

type AnyJar = typeof jar extends Decider<infer S, infer C, infer E> ? Decider<S, C, E> : never;

/** The jar of newer code: what it records is of a version that older code does not know. */
export const newerJar: AnyJar = { ...jar, versions: { ...jar.versions, CoinsAdded: 2 } };

export const newerUpcasters: Upcasters = {
  'CoinsAdded@1': (event) => ({ ...event, meta: { ...event.meta, v: 2 } }),
};
