const POLL_MS = 20;

/** Runs all polls of a file with one timer: in an idle process a wake-up costs more than the polls. */
export class Poller {
  private readonly polls = new Set<() => void>();
  private timer: NodeJS.Timeout | undefined;

  add(poll: () => void): void {
    this.polls.add(poll);
    this.timer ??= setInterval(() => this.run(), POLL_MS).unref();
  }

  remove(poll: () => void): void {
    this.polls.delete(poll);
    if (this.polls.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private run(): void {
    for (const poll of this.polls) poll();
  }
}
