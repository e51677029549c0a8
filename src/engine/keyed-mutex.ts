/** Runs work under the same key sequentially, and work under different keys concurrently. */
export class KeyedMutex {
  private readonly tails = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.tails.get(key) ?? Promise.resolve();
    const own = previous.then(work, work);
    this.tails.set(key, own);
    try {
      return await own;
    } finally {
      if (this.tails.get(key) === own) this.tails.delete(key);
    }
  }
}
