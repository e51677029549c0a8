import type { Clock } from '../../kernel/clock.js';

const POLL_MS = 20;
/** The intervals while no process adds rows: a wake-up of an idle process costs more than its polls. */
const IDLE_POLL_MS = 60;
const REST_POLL_MS = 250;
/** Numbers of polls without added rows: after two seconds, and after half a minute. */
const IDLE_AFTER_POLLS = 100;
const REST_AFTER_POLLS = 600;

/** Runs all polls of a file with one timer. */
export class Poller {
  private readonly polls = new Set<() => void>();
  private timer: NodeJS.Timeout | undefined;
  private unchanged = 0;

  constructor(private readonly clock: Clock) {}

  add(poll: () => void): void {
    this.polls.add(poll);
    if (this.timer === undefined) this.schedule();
  }

  remove(poll: () => void): void {
    this.polls.delete(poll);
    if (this.polls.size > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Polls at the short interval for the next two seconds. */
  recordChange(): void {
    this.unchanged = 0;
  }

  private get delay(): number {
    if (this.unchanged < IDLE_AFTER_POLLS) return POLL_MS;
    return this.unchanged < REST_AFTER_POLLS ? IDLE_POLL_MS : this.clock.computePollDelay(REST_POLL_MS);
  }

  private schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), this.delay).unref();
  }

  private run(): void {
    this.unchanged++;
    for (const poll of this.polls) poll();
    if (this.polls.size > 0) this.schedule();
  }
}
