import { Lanes } from './streams/lanes.js';

const MAX_TOGETHER = 100;

/** Runs the work of one key sequentially. Items that arrive while work is running form the next batch. */
export class Gathered<T, R> {
  private readonly waiting = new Map<string, { readonly items: T[]; readonly done: Promise<R> }>();
  private readonly lanes = new Lanes();

  constructor(private readonly work: (key: string, items: readonly T[]) => Promise<R>) {}

  run(key: string, item: T): Promise<R> {
    const open = this.waiting.get(key);
    if (open === undefined || open.items.length >= MAX_TOGETHER) return this.begin(key, [item]);
    open.items.push(item);
    return open.done;
  }

  private begin(key: string, items: T[]): Promise<R> {
    const done = this.lanes.run(key, () => {
      if (this.waiting.get(key)?.items === items) this.waiting.delete(key);
      return this.work(key, items);
    });
    this.waiting.set(key, { items, done });
    return done;
  }
}
