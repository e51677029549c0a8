/**
 * Shares one result among callers that request the same work in the same tick. These callers cannot know of a later
 * write, so sharing the result is safe. The entry lasts until the microtasks that are already queued have run.
 */
export class SingleFlight<T> {
  private readonly inFlight = new Map<string, Promise<T>>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const shared = this.inFlight.get(key);
    if (shared !== undefined) return shared;
    const started = work();
    this.inFlight.set(key, started);
    queueMicrotask(() => this.inFlight.delete(key));
    return started;
  }
}
