import type { RecordedEvent } from '../../kernel/event.js';

/** Merges the events of several streams in the order of the log, to render a document that all of them change. */
export function mergeHistories(...histories: readonly (readonly RecordedEvent[])[]): readonly RecordedEvent[] {
  return histories.flat().sort((a, b) => compare(a.position, b.position));
}

/** Events of one append may have the same position: they remain in their order. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
