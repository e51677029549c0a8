import type { RecordedEvent } from '../../kernel/event.js';
import type { ReadStreamOptions } from '../../kernel/event-store.js';

/** Few appends have more events. */
const APPEND_EVENTS = 10;

/** A stream, as far as a process knows it. */
export interface KnownStream {
  /** All events up to a revision; missing when they are not kept. */
  readonly cached: readonly RecordedEvent[] | null | undefined;
  readonly isLast: (revision: number) => boolean;
  readonly read: (options: ReadStreamOptions) => Promise<readonly RecordedEvent[]>;
}

/** Returns the revision of the last event of the append: the events of a command in one stream are one append. */
export async function findAppendEnd(event: RecordedEvent, { cached, isLast, read }: KnownStream): Promise<number> {
  const { revision } = event;
  if (cached && cached.length > revision) {
    const next = cached.findIndex((other, i) => i > revision && !isOfSameAppend(event, other));
    return next < 0 ? cached.length - 1 : next - 1;
  }
  for (let end = revision; ;) {
    if (isLast(end)) return end;
    const following = await read({ from: end + 1, limit: APPEND_EVENTS });
    const next = following.findIndex((other) => !isOfSameAppend(event, other));
    end += next < 0 ? following.length : next;
    if (next >= 0 || following.length < APPEND_EVENTS) return end;
  }
}

/** Returns the revision of the first event of the append. */
export async function findAppendStart(event: RecordedEvent, { cached, read }: KnownStream): Promise<number> {
  const { revision } = event;
  if (cached && cached.length > revision)
    return cached.findLastIndex((other, i) => i < revision && !isOfSameAppend(event, other)) + 1;
  for (let start = revision; start > 0;) {
    const preceding = await read({ from: start - 1, backwards: true, limit: APPEND_EVENTS });
    const previous = preceding.findIndex((other) => !isOfSameAppend(event, other));
    if (previous >= 0) return start - previous;
    if (preceding.length === 0) return start;
    start -= preceding.length;
  }
  return 0;
}

function isOfSameAppend(event: RecordedEvent, { meta }: RecordedEvent): boolean {
  return meta.commandId === event.meta.commandId;
}
