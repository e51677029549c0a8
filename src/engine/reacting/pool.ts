/** Runs `work` on every item, `limit` at a time. After a failure nothing new is begun, and the first failure is thrown at the end. */
export async function eachAtMost<T>(limit: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  const rest = items.values();
  const hand = async () => {
    for (const item of rest) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, hand));
  if (failures.length > 0) throw failures[0];
}

/** So much work at once, and the rest in the order in which it came. */
export class Pool {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** The place goes to the next, so that nobody who comes meanwhile can take it. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free++;
    else next();
  }
}
