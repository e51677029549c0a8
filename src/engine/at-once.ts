/**
 * Shares one result among callers that request the same work in the same tick. These callers cannot know of a later
 * write, so sharing the result is safe. The entry lasts until the microtasks that are already queued have run.
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
