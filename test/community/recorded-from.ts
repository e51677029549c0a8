import { streamOf } from '../../src/kernel/decider.js';
import type { Fact, RecordedEvent } from '../../src/kernel/event.js';
import { createEvent } from '../support/jar.js';

/** Returns the events as the event log returns them. */
export function recordedFrom(
  decider: { readonly category: string },
  id: string,
  ...facts: readonly Fact[]
): RecordedEvent[] {
  const stream = streamOf(decider, id);
  return facts.map(({ type, data }, revision) => {
    return {
      ...createEvent(`${stream}:${revision}`, type, data),
      stream,
      revision,
      position: String(revision + 1).padStart(6, '0'),
    };
  });
}
