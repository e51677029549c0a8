interface Entry<V> {
  readonly value: V;
  readonly weight: number;
}

/** Entries that were used at about the same time. */
class Generation<K, V> {
  readonly entries = new Map<K, Entry<V>>();
  weight = 0;

  add(key: K, entry: Entry<V>): void {
    this.entries.set(key, entry);
    this.weight += entry.weight;
  }

  take(key: K): Entry<V> | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.weight -= entry.weight;
    return entry;
  }
}

/**
 * A map that forgets what has not been used for longest, before all that it holds weighs more than its capacity. What is used belongs to
 * the young half; when that is full it becomes the old one, whose rest is forgotten whole: no order has to be kept, entry by entry.
 */
export class Recent<K, V> {
  private young = new Generation<K, V>();
  private old = new Generation<K, V>();

  /** @param weigh what one value counts against the capacity: 1 unless told */
  constructor(
    private readonly capacity: number,
    private readonly weigh: (value: V) => number = () => 1,
  ) {}

  get(key: K): V | undefined {
    const young = this.young.entries.get(key);
    if (young !== undefined) return young.value;
    const old = this.old.take(key);
    if (old !== undefined) this.add(key, old);
    return old?.value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.add(key, { value, weight: this.weigh(value) });
  }

  delete(key: K): void {
    this.young.take(key);
    this.old.take(key);
  }

  private add(key: K, entry: Entry<V>): void {
    if (this.young.weight + entry.weight > this.capacity / 2) this.age();
    if (this.old.weight + entry.weight > this.capacity) this.old = new Generation();
    if (entry.weight <= this.capacity) this.young.add(key, entry);
  }

  private age(): void {
    this.old = this.young;
    this.young = new Generation();
  }
}
