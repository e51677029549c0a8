/** A place in a line. Its holder ends it in any case. */
export interface Turn {
  /** The number of earlier arrivals whose turn has not ended. */
  readonly ahead: number;
  /** Resolves when every earlier turn has ended. */
  readonly began: Promise<void>;
  /** Has an effect once. */
  end(): void;
}

interface Line {
  /** The number of turns that have not ended. */
  length: number;
  last: Promise<void>;
}

/** Keeps the order of arrival for each key, while the arrivals do asynchronous work. */
export class ArrivalLines {
  private readonly lines = new Map<string, Line>();

  /** Appends an arrival to the line. */
  enter(key: string): Turn {
    const line = this.lines.get(key) ?? { length: 0, last: Promise.resolve() };
    this.lines.set(key, line);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const [began, ahead] = [line.last, line.length++];
    line.last = began.then(() => ended);
    let hasEnded = false;
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      if (--line.length === 0) this.lines.delete(key);
      resolve();
    };
    return { ahead, began, end };
  }
}
