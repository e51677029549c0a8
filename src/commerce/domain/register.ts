interface Entry<V> {
  readonly value: V;
  readonly nth: number;
}

/**
 * What was entered under which key, for streams that never end. Entering leaves the older register as it is, yet copies nothing:
 * both share one map, and a register does not see what was entered after it.
 */
export class Register<V> {
  private constructor(
    private readonly entries: Map<string, Entry<V>>,
    readonly size: number,
  ) {}

  static empty<V>(): Register<V> {
    return new Register<V>(new Map(), 0);
  }

  get(key: string): V | undefined {
    const entry = this.entries.get(key);
    return entry !== undefined && entry.nth <= this.size ? entry.value : undefined;
  }

  with(key: string, value: V): Register<V> {
    const entries = this.size > 0 && this.entries.size === this.size ? this.entries : this.copy();
    entries.set(key, { value, nth: this.size + 1 });
    return new Register(entries, this.size + 1);
  }

  private copy(): Map<string, Entry<V>> {
    return new Map([...this.entries].filter(([, { nth }]) => nth <= this.size));
  }
}
