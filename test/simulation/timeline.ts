import { Queue } from './queue.js';

/** `false`: nothing came of it. */
type Happening = () => void | false;

/**
 * Virtual time. Whatever waits stands in one queue; one thing happens, everything that follows from it without waiting has its turn,
 * and then the next thing happens.
 */
export class Timeline {
  /** Milliseconds since the world began. */
  now = 0;
  protected readonly queue = new Queue<{ readonly at: number; readonly happen: Happening }>();

  /** Happens so many milliseconds from now. */
  after(ms: number, happen: Happening): void {
    this.queue.push({ at: this.now + Math.max(0, ms), happen });
  }

  /** Lets all of it happen that is due within `ms`. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    await turn();
    while (this.queue.first !== undefined && this.queue.first.at <= end) await this.next();
    this.now = end;
  }

  protected async next(): Promise<void> {
    const { at, happen } = this.queue.shift()!;
    this.now = Math.max(this.now, at);
    if (happen() !== false) await turn();
  }
}

/** Passes by itself as soon as somebody waits. */
export class EagerTimeline extends Timeline {
  private passing = false;

  override after(ms: number, happen: Happening): void {
    super.after(ms, happen);
    if (!this.passing) void this.passAll();
  }

  private async passAll(): Promise<void> {
    this.passing = true;
    await turn();
    while (this.queue.first !== undefined) await this.next();
    this.passing = false;
  }
}

/** Every promise that could be settled by now is. */
function turn(): Promise<void> {
  return new Promise(setImmediate);
}
