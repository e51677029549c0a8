interface Begun {
  readonly size: number;
  readonly passed: Promise<void>;
}

/** Pages that are dispatched and not yet completed. They are completed in order, whichever is done first. */
export class UnderWay {
  private readonly pages: Begun[] = [];
  private size = 0;

  /** @param capacity number of events that may be in flight when the next page is dispatched */
  constructor(private readonly room: number) {}

  /**
   * Resolves when the next page may be dispatched.
   * @param onComplete called when this page and all earlier pages are done
   */
  async add<T>(size: number, done: Promise<T>, pass: (outcome: T) => void): Promise<void> {
    const passed = this.passed(size, done, this.pages.at(-1)?.passed, pass);
    // A caller waiting for capacity gets the failure; otherwise it is ignored here.
    passed.catch(() => undefined);
    this.pages.push({ size, passed });
    this.size += size;
    while (this.size > this.room) await this.pages[0]!.passed;
  }

  /** Waits until no page is in flight. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.pages.map(({ passed }) => passed));
  }

  private async passed<T>(size: number, done: Promise<T>, before: Promise<void> | undefined, pass: (outcome: T) => void): Promise<void> {
    const outcome = await done;
    await before;
    pass(outcome);
    this.pages.shift();
    this.size -= size;
  }
}
