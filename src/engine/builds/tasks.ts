/** Work by name: what is wanted runs, and what is not wanted any more is ended. */
export class Tasks {
  private readonly running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>();

  /** What ends by itself begins again when it is still wanted at the next call. */
  keep(wanted: ReadonlyMap<string, (signal: AbortSignal) => Promise<void>>): void {
    for (const [name, { stop }] of this.running) if (!wanted.has(name)) stop.abort();
    for (const [name, work] of wanted) if (!this.running.has(name)) this.begin(name, work);
  }

  async end(): Promise<void> {
    const all = [...this.running.values()];
    for (const { stop } of all) stop.abort();
    await Promise.all(all.map(({ ended }) => ended));
  }

  private begin(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    const stop = new AbortController();
    const ended = work(stop.signal)
      .catch(() => undefined)
      .finally(() => this.running.delete(name));
    this.running.set(name, { stop, ended });
  }
}
