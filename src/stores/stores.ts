import type { Config } from '../config/config.js';
import { reportAndReturn } from '../kernel/background-errors.js';
import type { Clock, Random } from '../kernel/clock.js';
import { NewerStore } from './newer-store.js';
import { openStores } from './open.js';
import type { Ports } from './ports.js';

/** How often this process checks whether newer code has begun to write: it stops within two seconds. */
const FORMAT_CHECK_MS = 1_000;

/** The open stores of this process. */
export class Stores {
  /**
   * Set when the disk or the file has failed permanently, or newer code has written to the store. Only a restart can
   * help.
   */
  failure: Error | null = null;

  private constructor(
    readonly ports: Ports,
    /** Resolves with the failure, if there is one. */
    readonly failed: Promise<Error>,
    private readonly formatTimer: NodeJS.Timeout,
  ) {
    void failed.then((error) => (this.failure = error));
  }

  static async open({ stores }: Config, clock: Clock, random: Random): Promise<Stores> {
    const { promise: failed, resolve: onFatal } = Promise.withResolvers<Error>();
    const ports = await openStores(stores, { clock, random, onFatal });
    const formatTimer = setInterval(() => void checkFormat(ports, onFatal), FORMAT_CHECK_MS).unref();
    return new Stores(ports, failed, formatTimer);
  }

  close(): Promise<void> {
    clearInterval(this.formatTimer);
    return this.ports.close();
  }
}

async function checkFormat({ format }: Ports, onFatal: (error: Error) => void): Promise<void> {
  // While the store is unavailable this process writes nothing to it either.
  const found = await format.read().catch(reportAndReturn({ kind: 'loop', name: 'store format' }, format.supported));
  if (found > format.supported) onFatal(new NewerStore(found));
}
