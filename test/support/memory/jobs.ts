import { iso, type Clock } from '../../../src/kernel/clock.js';
import {
  Jobs,
  type ClaimOptions,
  type Job,
  type JobEntry,
  type KeptJob,
  type ListJobs,
  type NewJob,
  type QueueSize,
} from '../../../src/kernel/jobs.js';

export interface Entry {
  readonly job: Job;
  readonly holder: string | null;
  /** Milliseconds; null while the job has no lease. */
  readonly lease: number | null;
  readonly parked: boolean;
  readonly error: string | null;
}

const NOBODYS = { holder: null, lease: null };

/** Jobs in a map, in the order of insertion. */
export class MemoryJobs extends Jobs {
  readonly entries = new Map<string, Entry>();
  private readonly listeners = new Set<() => void>();
  private puts = 0;

  constructor(private readonly clock: Clock) {
    super();
  }

  async put(jobs: readonly NewJob[]): Promise<void> {
    for (const job of jobs) {
      if (this.entries.has(job.key)) continue;
      const kept = { ...structuredClone(job), id: `${++this.puts}`, attempt: 0, failures: 0 };
      this.entries.set(job.key, { job: kept, ...NOBODYS, parked: false, error: null });
    }
    this.ring();
  }

  async claim(queue: string, { limit, leaseMs, holder }: ClaimOptions): Promise<Job[]> {
    const now = this.clock.now();
    const claimed = this.open(queue)
      .filter((entry) => Date.parse(entry.job.due) <= now && this.isFree(entry))
      .sort((a, b) => Date.parse(a.job.due) - Date.parse(b.job.due))
      .slice(0, limit)
      .map((entry) => ({ ...entry, job: { ...entry.job, attempt: entry.job.attempt + 1 }, holder, lease: now + leaseMs }));
    for (const entry of claimed) this.entries.set(entry.job.key, entry);
    return structuredClone(claimed.map(({ job }) => job));
  }

  async extend(job: Job, leaseMs: number): Promise<boolean> {
    return this.ifOurs(job, (entry) => ({ ...entry, lease: this.clock.now() + leaseMs }));
  }

  async done(job: Job): Promise<boolean> {
    return this.ifOurs(job, () => null);
  }

  async retry(job: Job, due: string, error: string): Promise<boolean> {
    return this.ifOurs(job, (entry) => failed({ ...entry, job: { ...entry.job, due } }, error));
  }

  async again(job: Job, due: string, why: string): Promise<boolean> {
    return this.ifOurs(job, (entry) => ({ ...entry, ...NOBODYS, job: { ...entry.job, due, failures: 0 }, error: why }));
  }

  async park(job: Job, error: string): Promise<boolean> {
    return this.ifOurs(job, (entry) => ({ ...failed(entry, error), parked: true }));
  }

  async nextDue(queue: string): Promise<string | null> {
    const times = this.open(queue).map(({ job, lease }) => lease ?? Date.parse(job.due));
    return times.length === 0 ? null : iso(Math.min(...times));
  }

  async list({ queue, status, after, limit }: ListJobs): Promise<JobEntry[]> {
    return [...this.entries.values()]
      .map((entry) => this.seen(entry))
      .filter((job) => (queue ?? job.queue) === job.queue && (status ?? job.status) === job.status)
      .sort(byDueAndKey)
      .filter((job) => after === undefined || byDueAndKey(job, after) > 0)
      .slice(0, limit);
  }

  async find(key: string): Promise<JobEntry | null> {
    const entry = this.entries.get(key);
    return entry === undefined ? null : this.seen(entry);
  }

  async release(key: string, due: string): Promise<boolean> {
    const released = this.ifFree(key, (entry) => ({ ...entry, ...NOBODYS, parked: false, job: { ...entry.job, due, failures: 0 } }));
    if (released) this.ring();
    return released;
  }

  async cancel(key: string): Promise<boolean> {
    return this.ifFree(key, () => null);
  }

  async sizes(): Promise<QueueSize[]> {
    const queues = Map.groupBy(
      [...this.entries.values()].map((entry) => this.seen(entry)),
      ({ queue }) => queue,
    );
    return [...queues].map(([queue, jobs]) => sizeOf(queue, jobs, iso(this.clock.now()))).sort((a, b) => (a.queue < b.queue ? -1 : 1));
  }

  async restore(jobs: readonly KeptJob[]): Promise<void> {
    for (const { error, parked, ...job } of jobs) {
      if (this.entries.has(job.key)) continue;
      this.entries.set(job.key, { job: { ...structuredClone(job), id: `${++this.puts}` }, ...NOBODYS, parked, error });
    }
    this.ring();
  }

  onPut(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private ring(): void {
    for (const listener of this.listeners) listener();
  }

  private open(queue: string): Entry[] {
    return [...this.entries.values()].filter(({ job, parked }) => job.queue === queue && !parked);
  }

  protected isFree({ lease }: Entry): boolean {
    return lease === null || lease <= this.clock.now();
  }

  private seen(entry: Entry): JobEntry {
    const { job, holder, lease, parked, error } = entry;
    const status = parked ? 'parked' : this.isFree(entry) ? 'waiting' : 'running';
    const lent = status === 'running' ? { holder, lease: iso(lease!) } : NOBODYS;
    return structuredClone({ ...job, status, ...lent, error });
  }

  private ifOurs({ key, id, attempt }: Job, change: (entry: Entry) => Entry | null): boolean {
    const entry = this.entries.get(key);
    if (entry === undefined || entry.lease === null || entry.job.id !== id || entry.job.attempt !== attempt) return false;
    return this.change(key, change(entry));
  }

  private ifFree(key: string, change: (entry: Entry) => Entry | null): boolean {
    const entry = this.entries.get(key);
    return entry !== undefined && this.isFree(entry) && this.change(key, change(entry));
  }

  private change(key: string, entry: Entry | null): true {
    if (entry === null) this.entries.delete(key);
    else this.entries.set(key, entry);
    return true;
  }
}

function failed(entry: Entry, error: string): Entry {
  return { ...entry, ...NOBODYS, job: { ...entry.job, failures: entry.job.failures + 1 }, error };
}

function sizeOf(queue: string, jobs: readonly JobEntry[], now: string): QueueSize {
  const of = (status: JobEntry['status']) => jobs.filter((job) => job.status === status);
  const times = of('waiting').map(({ due }) => due);
  const [oldestDue = null] = times.toSorted();
  const due = times.filter((time) => time <= now).length;
  return { queue, waiting: times.length, due, running: of('running').length, parked: of('parked').length, oldestDue };
}

function byDueAndKey(a: { due: string; key: string }, b: { due: string; key: string }): number {
  if (a.due !== b.due) return a.due < b.due ? -1 : 1;
  return a.key < b.key ? -1 : Number(a.key > b.key);
}
