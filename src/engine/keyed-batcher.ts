import { KeyedMutex } from './keyed-mutex.js';

const MAX_BATCH = 100;

/** Runs the work of one key sequentially. Items that arrive while work is running form the next batch. */
export class KeyedBatcher<T, R> {
  private readonly openBatches = new Map<string, { readonly items: T[]; readonly done: Promise<R> }>();
  private readonly mutex = new KeyedMutex();

  constructor(private readonly work: (key: string, items: readonly T[]) => Promise<R>) {}

  run(key: string, item: T): Promise<R> {
    const open = this.openBatches.get(key);
    if (open === undefined || open.items.length >= MAX_BATCH) return this.startBatch(key, [item]);
    open.items.push(item);
    return open.done;
  }

  private startBatch(key: string, items: T[]): Promise<R> {
    const done = this.mutex.run(key, () => {
      if (this.openBatches.get(key)?.items === items) this.openBatches.delete(key);
      return this.work(key, items);
    });
    this.openBatches.set(key, { items, done });
    return done;
  }
}
