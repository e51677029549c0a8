import { idOfStream } from '../../src/kernel/decider.js';
import type { Recorded } from '../../src/kernel/event.js';

/** Returns the event's type and version, such as `ProductCreated@1`. */
export function shapeOf({ type, meta }: Recorded): string {
  return `${type}@${meta.v}`;
}

/**
 * Returns a minimal log with these versioned types: one stream for each type, every stream that they name, and no
 * trailing event that repeats a type.
 */
export function gleaned(log: readonly Recorded[], shapes: ReadonlySet<string>): Recorded[] {
  const streams = Map.groupBy(log, ({ stream }) => stream);
  const kept = new Map<string, readonly Recorded[]>();
  const keep = (stream: string) => {
    if (kept.has(stream)) return;
    kept.set(stream, upToLastNews(streams.get(stream)!));
    const text = JSON.stringify(kept.get(stream));
    for (const other of streams.keys()) if (text.includes(`"${idOfStream(other)}"`)) keep(other);
  };
  const shown = () => new Set([...kept.values()].flat().map(shapeOf));
  for (const event of log) if (shapes.has(shapeOf(event)) && !shown().has(shapeOf(event))) keep(event.stream);

  const places = new Set([...kept.values()].flat());
  return log.filter((event) => places.has(event));
}

/** Returns the stream up to the last event with a versioned type that is new in the stream. */
function upToLastNews(events: readonly Recorded[]): readonly Recorded[] {
  const shapes = events.map(shapeOf);
  return events.slice(0, shapes.findLastIndex((shape, i) => shapes.indexOf(shape) === i) + 1);
}
