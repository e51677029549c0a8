/**
 * Work that is asked for again in the same moment is done once, and all have its outcome. The moment lasts until what was already waiting
 * for its turn has had it: nobody who asks within it can have heard of anything that happened behind the first one's asking.
 */
export class AtOnce<T> {
  private readonly asked = new Map<string, Promise<T>>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const others = this.asked.get(key);
    if (others !== undefined) return others;
    const mine = work();
    this.asked.set(key, mine);
    queueMicrotask(() => this.asked.delete(key));
    return mine;
  }
}
