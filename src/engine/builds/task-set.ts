/** Runs named tasks: starts the wanted ones and stops the others. */
export class TaskSet {
  private readonly running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>();

  /** Starts and stops tasks. A task that has ended starts again at the next call if it is still wanted. */
  reconcile(wanted: ReadonlyMap<string, (signal: AbortSignal) => Promise<void>>): void {
    for (const [name, { stop }] of this.running) if (!wanted.has(name)) stop.abort();
    for (const [name, work] of wanted) if (!this.running.has(name)) this.start(name, work);
  }

  async stopAll(): Promise<void> {
    const all = [...this.running.values()];
    for (const { stop } of all) stop.abort();
    await Promise.all(all.map(({ ended }) => ended));
  }

  private start(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    const stop = new AbortController();
    const ended = work(stop.signal)
      .catch(() => undefined)
      .finally(() => this.running.delete(name));
    this.running.set(name, { stop, ended });
  }
}
