import { iso, type Clock } from '../../../src/kernel/clock.js';
import { Jobs, type ClaimOptions, type Job, type NewJob } from '../../../src/kernel/jobs.js';

interface Entry {
  readonly job: Job;
  /** Milliseconds; null while nobody has it. */
  readonly lease: number | null;
  readonly parked: boolean;
  readonly error?: string;
}

/** Jobs in a map, in the order in which they were put. */
export class MemoryJobs extends Jobs {
  readonly entries = new Map<string, Entry>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly clock: Clock) {
    super();
  }

  async put(jobs: readonly NewJob[]): Promise<void> {
    for (const job of jobs) {
      if (this.entries.has(job.key)) continue;
      this.entries.set(job.key, { job: { ...structuredClone(job), attempt: 0 }, lease: null, parked: false });
    }
    for (const listener of this.listeners) listener();
  }

  async claim(queue: string, { limit, leaseMs }: ClaimOptions): Promise<Job[]> {
    const now = this.clock.now();
    const claimed = this.open(queue)
      .filter(({ job, lease }) => Date.parse(job.due) <= now && (lease === null || lease <= now))
      .sort((a, b) => Date.parse(a.job.due) - Date.parse(b.job.due))
      .slice(0, limit)
      .map(({ job }) => ({ ...job, attempt: job.attempt + 1 }));
    for (const job of claimed) this.entries.set(job.key, { job, lease: now + leaseMs, parked: false });
    return structuredClone(claimed);
  }

  async extend(job: Job, leaseMs: number): Promise<boolean> {
    return this.ifOurs(job, (entry) => this.entries.set(job.key, { ...entry, lease: this.clock.now() + leaseMs }));
  }

  async done(job: Job): Promise<boolean> {
    return this.ifOurs(job, () => this.entries.delete(job.key));
  }

  async retry(job: Job, due: string, error: string): Promise<boolean> {
    return this.ifOurs(job, (entry) => this.entries.set(job.key, { ...entry, job: { ...entry.job, due }, lease: null, error }));
  }

  async park(job: Job, error: string): Promise<boolean> {
    return this.ifOurs(job, (entry) => this.entries.set(job.key, { ...entry, lease: null, parked: true, error }));
  }

  async nextDue(queue: string): Promise<string | null> {
    const times = this.open(queue).map(({ job, lease }) => lease ?? Date.parse(job.due));
    return times.length === 0 ? null : iso(Math.min(...times));
  }

  onPut(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private open(queue: string): Entry[] {
    return [...this.entries.values()].filter(({ job, parked }) => job.queue === queue && !parked);
  }

  private ifOurs({ key, attempt }: Job, act: (entry: Entry) => unknown): boolean {
    const entry = this.entries.get(key);
    if (entry === undefined || entry.lease === null || entry.job.attempt !== attempt) return false;
    act(entry);
    return true;
  }
}
