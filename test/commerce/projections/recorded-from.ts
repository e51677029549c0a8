import type { Fact, RecordedEvent } from '../../../src/kernel/event.js';
import { type Projection, render } from '../../../src/kernel/projection.js';
import { createEvent } from '../../support/jar.js';

/** Renders the document of these events, without its internal fields. */
export function renderRecorded<D extends object>(
  projection: Projection<D>,
  id: string,
  ...facts: readonly Fact[]
): object {
  const history = facts.map(({ type, data }, revision): RecordedEvent => {
    return {
      ...createEvent(`${type} ${revision}`, type, data),
      stream: `noun-${id}`,
      revision,
      position: String(revision),
    };
  });
  return Object.fromEntries(Object.entries(render(projection, id, history)).filter(([name]) => !name.startsWith('_')));
}
