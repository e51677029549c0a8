interface Begun {
  readonly size: number;
  readonly passed: Promise<void>;
}

/** Pages that are begun and not yet passed. They are passed in their order, whichever is done first. */
export class UnderWay {
  private readonly pages: Begun[] = [];
  private size = 0;

  /** @param room how many events may be under way when the next page is begun */
  constructor(private readonly room: number) {}

  /**
   * Resolves when the next page may be begun.
   * @param pass called when this page is done, and all before it
   */
  async add<T>(size: number, done: Promise<T>, pass: (outcome: T) => void): Promise<void> {
    const passed = this.passed(size, done, this.pages.at(-1)?.passed, pass);
    // Whoever waits for room hears of a page that failed, and so does nobody when nobody waits.
    passed.catch(() => undefined);
    this.pages.push({ size, passed });
    this.size += size;
    while (this.size > this.room) await this.pages[0]!.passed;
  }

  /** None is at work any more. */
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
