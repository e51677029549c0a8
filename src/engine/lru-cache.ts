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

  remove(key: K): Entry<V> | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.weight -= entry.weight;
    return entry;
  }
}

/**
 * A map that evicts the least recently used entries before their total weight exceeds the capacity. Used entries belong
 * to the young generation. When that generation is full, it becomes the old one, and the rest of the previous old
 * generation is evicted as a whole. So no order of single entries has to be kept.
 */
export class LruCache<K, V> {
  private young = new Generation<K, V>();
  private old = new Generation<K, V>();

  /** @param weigh weight of one value against the capacity; 1 by default */
  constructor(
    private readonly capacity: number,
    private readonly weigh: (value: V) => number = () => 1,
  ) {}

  get(key: K): V | undefined {
    const young = this.young.entries.get(key);
    if (young !== undefined) return young.value;
    const old = this.old.remove(key);
    if (old !== undefined) this.add(key, old);
    return old?.value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.add(key, { value, weight: this.weigh(value) });
  }

  delete(key: K): void {
    this.young.remove(key);
    this.old.remove(key);
  }

  private add(key: K, entry: Entry<V>): void {
    if (this.young.weight + entry.weight > this.capacity / 2) this.rotate();
    if (this.old.weight + entry.weight > this.capacity) this.old = new Generation();
    if (entry.weight <= this.capacity) this.young.add(key, entry);
  }

  private rotate(): void {
    this.old = this.young;
    this.young = new Generation();
  }
}
