import { decodeKey, encodeKey } from './documents.js';

/** Stands for all queues in a notification that does not name them. */
export const ALL_QUEUES = '';

/**
 * Returns the name under which a queue is counted. Each endpoint may have a queue of its own, `deliveries:whs_…`: with
 * their names, the row would grow without bound.
 */
export function toCountedQueue(queue: string): string {
  return queue.includes(':') ? ALL_QUEUES : queue;
}

/** The numbers of notifications of all processes. */
export interface CounterRow {
  readonly _id: string;
  /** The sum of all queues, and the notifications of processes that do not name queues. */
  readonly rings: number;
  readonly queues?: Readonly<Record<string, number>>;
}

export function toIncrements(queues: readonly string[]): Record<string, number> {
  const named = queues.filter((queue) => queue !== ALL_QUEUES).map((queue) => [`queues.${encodeKey(queue)}`, 1]);
  return { rings: queues.length, ...(Object.fromEntries(named) as Record<string, number>) };
}

/** Finds the notifications of other processes among those of all processes. */
export class NotificationCounts {
  private readonly own = new Map<string, number>();
  private others: ReadonlyMap<string, number> | null = null;

  addOwn(queues: readonly string[]): void {
    for (const queue of queues) this.own.set(queue, (this.own.get(queue) ?? 0) + 1);
  }

  /** Returns the queues of which other processes have notified since the last call; undefined for all queues. */
  findChanges(row: CounterRow | null): readonly string[] | undefined {
    const before = this.others;
    this.others = this.countOthers(row);
    if (before === null) return undefined;
    const changes = [...this.others].filter(([queue, count]) => count !== (before.get(queue) ?? 0));
    const queues = changes.map(([queue]) => queue);
    return queues.includes(ALL_QUEUES) ? undefined : queues;
  }

  private countOthers(row: CounterRow | null): Map<string, number> {
    const { rings = 0, queues = {} } = row ?? {};
    const named = Object.values(queues).reduce((sum, count) => sum + count, 0);
    const counts = new Map(Object.entries(queues).map(([key, count]) => [decodeKey(key), count]));
    counts.set(ALL_QUEUES, rings - named);
    for (const [queue, count] of this.own) counts.set(queue, (counts.get(queue) ?? 0) - count);
    return counts;
  }
}
