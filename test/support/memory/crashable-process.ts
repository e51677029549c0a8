import type { Clock, Random } from '../../../src/kernel/clock.js';

const MAX_DELAY_MS = 4;
const ITERATED = new Set<string | symbol>(['readStream', 'follow']);
const LOCAL = new Set<string | symbol>(['onEnqueued', 'isLastRevision']);

/** A process that can crash. After the crash none of its calls reaches a store, and no response reaches it. */
export class CrashableProcess {
  private hasCrashed = false;

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  crash(): void {
    this.hasCrashed = true;
  }

  /** Wraps a port for this process: requests and responses have random delays, so calls overtake each other. */
  wrap<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as (...args: unknown[]) => unknown;
        if (LOCAL.has(name)) return member.bind(target);
        if (ITERATED.has(name))
          return (...args: unknown[]) => this.iterate(member.apply(target, args) as AsyncIterable<unknown>);
        return (...args: unknown[]) => this.call(() => member.apply(target, args));
      },
    });
  }

  private async call(call: () => unknown): Promise<unknown> {
    await this.delay();
    const answer = await Promise.resolve(call()).then(
      (value) => () => value,
      (error: Error) => () => {
        throw error;
      },
    );
    await this.delay();
    return answer();
  }

  private async *iterate(items: AsyncIterable<unknown>): AsyncIterable<unknown> {
    for await (const item of items) {
      await this.delay();
      yield item;
    }
  }

  private async delay(): Promise<void> {
    if (!this.hasCrashed) await this.clock.sleep(Math.floor(this.random.next() * MAX_DELAY_MS));
    if (this.hasCrashed) await new Promise(() => undefined);
  }
}
