/** Fits into the header that the service accepts. */
const MAX_TOKENS = 16;

interface WrittenToken {
  readonly token: string;
  readonly receivedAt: number;
}

/**
 * The Consistency-Tokens of the last writes, which reads send, so that they see these writes on every process of the
 * service. A write that started after the response to an earlier one includes it. Tokens do not show which of two
 * concurrent writes is later, so both are kept.
 */
export class ConsistencyTokens {
  #tokens: readonly WrittenToken[] = [];
  /** Counts starts and responses, to order them. */
  #time = 0;

  /** The header of a read; null before the first write. */
  get header(): string | null {
    return this.#tokens.length === 0 ? null : this.#tokens.map(({ token }) => token).join(', ');
  }

  /** Returns the time at which a request starts. */
  start(): number {
    return ++this.#time;
  }

  /** Records the token in the response to a write. */
  record(token: string, startedAt: number): void {
    const concurrent = this.#tokens.filter((each) => each.receivedAt > startedAt && each.token !== token);
    this.#tokens = [...concurrent, { token, receivedAt: ++this.#time }].slice(-MAX_TOKENS);
  }
}
