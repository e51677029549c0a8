import { extractId } from '../../src/kernel/decider.js';
import type { RecordedEvent } from '../../src/kernel/event.js';

/** Returns the event's type and version, such as `ProductCreated@1`. */
export function versionedTypeOf({ type, meta }: RecordedEvent): string {
  return `${type}@${meta.v}`;
}

/**
 * Returns a minimal log with these versioned types: one stream for each type, every stream that they name, and no
 * trailing event that repeats a type.
 */
export function extractMinimalLog(log: readonly RecordedEvent[], shapes: ReadonlySet<string>): RecordedEvent[] {
  const streams = Map.groupBy(log, ({ stream }) => stream);
  const kept = new Map<string, readonly RecordedEvent[]>();
  const keep = (stream: string) => {
    if (kept.has(stream)) return;
    kept.set(stream, truncateAfterLastNewType(streams.get(stream)!));
    const text = JSON.stringify(kept.get(stream));
    for (const other of streams.keys()) if (text.includes(`"${extractId(other)}"`)) keep(other);
  };
  const shown = () => new Set([...kept.values()].flat().map(versionedTypeOf));
  for (const event of log)
    if (shapes.has(versionedTypeOf(event)) && !shown().has(versionedTypeOf(event))) keep(event.stream);

  const places = new Set([...kept.values()].flat());
  return log.filter((event) => places.has(event));
}

/** Returns the stream up to the last event with a versioned type that is new in the stream. */
function truncateAfterLastNewType(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const shapes = events.map(versionedTypeOf);
  return events.slice(0, shapes.findLastIndex((shape, i) => shapes.indexOf(shape) === i) + 1);
}
