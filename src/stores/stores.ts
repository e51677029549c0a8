import { join } from 'node:path';
import type { Config } from '../config.js';
import type { Clock } from '../kernel/clock.js';
import { openEmbedded, type EmbeddedStores } from './embedded/embedded.js';

const FILE = 'store.sqlite';

/** What is behind the ports in this process. */
export class Stores {
  /** Set when the disk or the file has failed for good. Nothing but a new start helps. */
  failure: Error | null = null;

  private constructor(
    readonly ports: EmbeddedStores,
    /** Resolves with that failure; never, while all is well. */
    readonly failed: Promise<Error>,
  ) {
    void failed.then((error) => (this.failure = error));
  }

  static async open(config: Config, clock: Clock): Promise<Stores> {
    const { promise: failed, resolve: onFatal } = Promise.withResolvers<Error>();
    return new Stores(await openEmbedded({ file: join(config.dataDir, FILE), clock, onFatal }), failed);
  }

  close(): Promise<void> {
    return this.ports.close();
  }
}
