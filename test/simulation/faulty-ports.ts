import type { RecordedEvent } from '../../src/kernel/event.js';
import {
  type EventPage,
  type EventStore,
  type FollowOptions,
  type ReadStreamOptions,
  StoreUnavailable,
} from '../../src/kernel/event-store.js';
import type { Jobs } from '../../src/kernel/jobs.js';
import { collect } from '../contracts/events.js';
import type { Port } from './network.js';
import type { StoreConnection } from './store-connection.js';
import { formatArguments } from './trace-format.js';

const READ_METHODS = new Set([
  'readAll',
  'readHead',
  'confirmPosition',
  'load',
  'find',
  'count',
  'readCheckpoint',
  'listEntries',
  'findNextDue',
  'list',
  'readQueueStats',
  'get',
]);

type Method = (...args: unknown[]) => unknown;

/** Wraps a port so that a process calls it over its simulated connection. */
export function wrapPort<T extends object>(store: T, port: Port, line: StoreConnection): T {
  const own = createSpecialMethods(store, line) as Readonly<Record<string, Method>>;
  return new Proxy(store, {
    get: (target, name: string) => own[name] ?? (name in target ? createCall(target, name, port, line) : undefined),
  });
}

function createCall(target: object, name: string, port: Port, line: StoreConnection): Method {
  const kind = READ_METHODS.has(name) ? 'reads' : 'writes';
  return (...args) => {
    const perform = async () => (Reflect.get(target, name) as Method).apply(target, args);
    return line.call({ port, description: `${name} ${formatArguments(args)}`, kind, perform });
  };
}

/** Returns the methods that are more than one call and one response. */
function createSpecialMethods(store: object, line: StoreConnection): object {
  if ('readStream' in store) return new LogReads(store as EventStore, line).createMethods();
  return 'onEnqueued' in store
    ? { onEnqueued: (listener: () => void) => (store as Jobs).onEnqueued(() => line.deliverBack(listener)) }
    : {};
}

class LogReads {
  constructor(
    private readonly store: EventStore,
    private readonly line: StoreConnection,
  ) {}

  createMethods(): Pick<EventStore, 'readStream' | 'isLastRevision' | 'readAll' | 'follow'> {
    return {
      isLastRevision: () => false,
      readStream: (stream, options) => this.readStream(stream, options),
      readAll: (options) =>
        this.line.call({
          port: 'events',
          description: `readAll ${options.after ?? ''}`,
          kind: 'reads',
          perform: async () => this.cut(await this.store.readAll(options)),
        }),
      follow: (options, signal) => this.follow(options, signal),
    };
  }

  private async *readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent> {
    const perform = () => collect(this.store.readStream(stream, options));
    yield* await this.line.call({ port: 'events', description: `readStream ${stream}`, kind: 'reads', perform });
  }

  private async *follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<EventPage> {
    for await (const page of this.store.follow(options, signal)) {
      if (this.line.network.drawDisconnect()) throw new StoreUnavailable('the connection was lost', false);
      yield* this.splitPage(page);
    }
  }

  private async *splitPage(page: EventPage): AsyncIterable<EventPage> {
    for (let rest = page; ;) {
      const part = this.cut(rest);
      await new Promise<void>((resolve) => this.line.deliverBack(resolve));
      yield part;
      if (part === rest) return;
      rest = { ...rest, events: rest.events.slice(part.events.length) };
    }
  }

  private cut(page: EventPage): EventPage {
    const length = this.line.network.drawPageLength(page.events.length);
    if (length >= page.events.length) return page;
    const events = page.events.slice(0, length);
    return { events, next: events.at(-1)!.position, caughtUp: false };
  }
}
