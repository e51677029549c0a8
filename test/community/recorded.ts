import { streamOf } from '../../src/kernel/decider.js';
import type { Fact, Recorded } from '../../src/kernel/event.js';
import { happened } from '../support/jar.js';

/** Returns the events as the event log returns them. */
export function recorded(decider: { readonly category: string }, id: string, ...facts: readonly Fact[]): Recorded[] {
  const stream = streamOf(decider, id);
  return facts.map(({ type, data }, revision) => {
    return { ...happened(`${stream}:${revision}`, type, data), stream, revision, position: String(revision + 1).padStart(6, '0') };
  });
}
