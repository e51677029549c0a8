import type { Recorded } from '../../src/kernel/event.js';
import { StoreUnavailable, type EventStore, type FollowOptions, type Page, type ReadStreamOptions } from '../../src/kernel/event-store.js';
import type { Jobs } from '../../src/kernel/jobs.js';
import { all } from '../contracts/events.js';
import type { Line } from './line.js';
import type { Port } from './network.js';
import { briefly } from './telling.js';

const READING = new Set([
  'readAll',
  'head',
  'confirmed',
  'load',
  'find',
  'count',
  'checkpoint',
  'catalogue',
  'nextDue',
  'list',
  'sizes',
  'get',
]);

type Method = (...args: unknown[]) => unknown;

/** Wraps a port so that a process calls it over its simulated connection. */
export function reach<T extends object>(store: T, port: Port, line: Line): T {
  const own = ownWaysOf(store, line) as Readonly<Record<string, Method>>;
  return new Proxy(store, {
    get: (target, name: string) => own[name] ?? (name in target ? called(target, name, port, line) : undefined),
  });
}

function called(target: object, name: string, port: Port, line: Line): Method {
  const kind = READING.has(name) ? 'reads' : 'writes';
  return (...args) => {
    const perform = async () => (Reflect.get(target, name) as Method).apply(target, args);
    return line.call({ port, what: `${name} ${briefly(args)}`, kind, perform });
  };
}

/** Returns the methods that are more than one call and one response. */
function ownWaysOf(store: object, line: Line): object {
  if ('readStream' in store) return new Reading(store as EventStore, line).ways();
  return 'onPut' in store ? { onPut: (listener: () => void) => (store as Jobs).onPut(() => line.back(listener)) } : {};
}

class Reading {
  constructor(
    private readonly store: EventStore,
    private readonly line: Line,
  ) {}

  ways(): Pick<EventStore, 'readStream' | 'readAll' | 'follow'> {
    return {
      readStream: (stream, options) => this.readStream(stream, options),
      readAll: (options) =>
        this.line.call({
          port: 'events',
          what: `readAll ${options.after ?? ''}`,
          kind: 'reads',
          perform: async () => this.cut(await this.store.readAll(options)),
        }),
      follow: (options, signal) => this.follow(options, signal),
    };
  }

  private async *readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<Recorded> {
    const perform = () => all(this.store.readStream(stream, options));
    yield* await this.line.call({ port: 'events', what: `readStream ${stream}`, kind: 'reads', perform });
  }

  private async *follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<Page> {
    for await (const page of this.store.follow(options, signal)) {
      if (this.line.network.severs()) throw new StoreUnavailable('the connection was lost', false);
      yield* this.parted(page);
    }
  }

  private async *parted(page: Page): AsyncIterable<Page> {
    for (let rest = page; ;) {
      const part = this.cut(rest);
      await new Promise<void>((resolve) => this.line.back(resolve));
      yield part;
      if (part === rest) return;
      rest = { ...rest, events: rest.events.slice(part.events.length) };
    }
  }

  private cut(page: Page): Page {
    const length = this.line.network.cut(page.events.length);
    if (length >= page.events.length) return page;
    const events = page.events.slice(0, length);
    return { events, next: events.at(-1)!.position, caughtUp: false };
  }
}
