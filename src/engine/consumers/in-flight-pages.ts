interface InFlightPage {
  readonly size: number;
  readonly completed: Promise<void>;
}

/** Pages that are dispatched and not yet completed. They are completed in order, whichever is done first. */
export class InFlightPages {
  private readonly pages: InFlightPage[] = [];
  private size = 0;

  /** @param capacity number of events that may be in flight when the next page is dispatched */
  constructor(private readonly capacity: number) {}

  get isEmpty(): boolean {
    return this.pages.length === 0;
  }

  /**
   * Resolves when the next page may be dispatched.
   * @param onComplete called when this page and all earlier pages are done
   */
  async add<T>(size: number, done: Promise<T>, onComplete: (outcome: T) => void): Promise<void> {
    const completed = this.complete(size, done, this.pages.at(-1)?.completed, onComplete);
    // A caller waiting for capacity gets the failure; otherwise it is ignored here.
    completed.catch(() => undefined);
    this.pages.push({ size, completed });
    this.size += size;
    while (this.size > this.capacity) await this.pages[0]!.completed;
  }

  async waitForAll(): Promise<void> {
    await Promise.allSettled(this.pages.map(({ completed }) => completed));
  }

  private async complete<T>(
    size: number,
    done: Promise<T>,
    before: Promise<void> | undefined,
    onComplete: (outcome: T) => void,
  ): Promise<void> {
    const outcome = await done;
    await before;
    onComplete(outcome);
    this.pages.shift();
    this.size -= size;
  }
}
