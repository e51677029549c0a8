import type { Config } from '../config.js';
import type { Clock, Random } from '../kernel/clock.js';
import { openStores } from './open.js';
import type { Ports } from './ports.js';

/** What is behind the ports in this process. */
export class Stores {
  /** Set when the disk or the file has failed for good. Nothing but a new start helps. */
  failure: Error | null = null;

  private constructor(
    readonly ports: Ports,
    /** Resolves with that failure; never, while all is well. */
    readonly failed: Promise<Error>,
  ) {
    void failed.then((error) => (this.failure = error));
  }

  static async open({ stores }: Config, clock: Clock, random: Random): Promise<Stores> {
    const { promise: failed, resolve: onFatal } = Promise.withResolvers<Error>();
    return new Stores(await openStores(stores, { clock, random, onFatal }), failed);
  }

  close(): Promise<void> {
    return this.ports.close();
  }
}
