import type { Clock, Random } from '../../../src/kernel/clock.js';

const MAX_WAY_MS = 4;
const ITERATED = new Set<string | symbol>(['readStream', 'follow']);
const LOCAL = new Set<string | symbol>(['onPut']);

/** A process that can crash. After the crash none of its calls reaches a store, and no response reaches it. */
export class Life {
  private over = false;

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  end(): void {
    this.over = true;
  }

  /** Wraps a port for this process: requests and responses have random delays, so calls overtake each other. */
  reach<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as (...args: unknown[]) => unknown;
        if (LOCAL.has(name)) return member.bind(target);
        if (ITERATED.has(name)) return (...args: unknown[]) => this.iterated(member.apply(target, args) as AsyncIterable<unknown>);
        return (...args: unknown[]) => this.called(() => member.apply(target, args));
      },
    });
  }

  private async called(call: () => unknown): Promise<unknown> {
    await this.way();
    const answer = await Promise.resolve(call()).then(
      (value) => () => value,
      (error: Error) => () => {
        throw error;
      },
    );
    await this.way();
    return answer();
  }

  private async *iterated(items: AsyncIterable<unknown>): AsyncIterable<unknown> {
    for await (const item of items) {
      await this.way();
      yield item;
    }
  }

  private async way(): Promise<void> {
    if (!this.over) await this.clock.sleep(Math.floor(this.random.next() * MAX_WAY_MS));
    if (this.over) await new Promise(() => undefined);
  }
}
