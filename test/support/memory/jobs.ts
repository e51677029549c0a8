import { type Clock, toIso } from '../../../src/kernel/clock.js';
import {
  type ClaimOptions,
  type Job,
  type JobDetails,
  Jobs,
  type ListJobsOptions,
  type NewJob,
  type QueueStats,
  type StoredJob,
} from '../../../src/kernel/jobs.js';

export interface MemoryJob {
  readonly job: Job;
  readonly holder: string | null;
  /** Milliseconds; null while the job has no lease. */
  readonly lease: number | null;
  readonly parked: boolean;
  readonly error: string | null;
}

const UNLEASED = { holder: null, lease: null };

/** Jobs in a map, in the order of insertion. */
export class MemoryJobs extends Jobs {
  readonly entries = new Map<string, MemoryJob>();
  private readonly listeners = new Set<() => void>();
  private enqueuedCount = 0;

  constructor(private readonly clock: Clock) {
    super();
  }

  async enqueue(jobs: readonly NewJob[]): Promise<void> {
    for (const job of jobs) {
      if (this.entries.has(job.key)) continue;
      const kept = { ...structuredClone(job), id: `${++this.enqueuedCount}`, attempt: 0, failures: 0 };
      this.entries.set(job.key, { job: kept, ...UNLEASED, parked: false, error: null });
    }
    this.notifyListeners();
  }

  async claim(queue: string, { limit, leaseMs, holder }: ClaimOptions): Promise<Job[]> {
    const now = this.clock.now();
    const claimed = this.findUnparked(queue)
      .filter((entry) => Date.parse(entry.job.due) <= now && this.isFree(entry))
      .sort((a, b) => Date.parse(a.job.due) - Date.parse(b.job.due))
      .slice(0, limit)
      .map((entry) => ({
        ...entry,
        job: { ...entry.job, attempt: entry.job.attempt + 1 },
        holder,
        lease: now + leaseMs,
      }));
    for (const entry of claimed) this.entries.set(entry.job.key, entry);
    return structuredClone(claimed.map(({ job }) => job));
  }

  async renewLease(job: Job, leaseMs: number): Promise<boolean> {
    return this.changeIfOwned(job, (entry) => ({ ...entry, lease: this.clock.now() + leaseMs }));
  }

  async complete(job: Job): Promise<boolean> {
    return this.changeIfOwned(job, () => null);
  }

  async retry(job: Job, due: string, error: string): Promise<boolean> {
    return this.changeIfOwned(job, (entry) => withFailure({ ...entry, job: { ...entry.job, due } }, error));
  }

  async reschedule(job: Job, due: string, reason: string, data = job.data): Promise<boolean> {
    return this.changeIfOwned(job, (entry) => ({
      ...entry,
      ...UNLEASED,
      job: { ...entry.job, due, data, failures: 0 },
      error: reason,
    }));
  }

  async park(job: Job, error: string): Promise<boolean> {
    return this.changeIfOwned(job, (entry) => ({ ...withFailure(entry, error), parked: true }));
  }

  async findNextDue(queue: string): Promise<string | null> {
    const times = this.findUnparked(queue).map(({ job, lease }) => lease ?? Date.parse(job.due));
    return times.length === 0 ? null : toIso(Math.min(...times));
  }

  async list({ queue, status, after, limit }: ListJobsOptions): Promise<JobDetails[]> {
    return [...this.entries.values()]
      .map((entry) => this.toDetails(entry))
      .filter((job) => (queue ?? job.queue) === job.queue && (status ?? job.status) === job.status)
      .sort(compareDueAndKey)
      .filter((job) => after === undefined || compareDueAndKey(job, after) > 0)
      .slice(0, limit);
  }

  async find(key: string): Promise<JobDetails | null> {
    const entry = this.entries.get(key);
    return entry === undefined ? null : this.toDetails(entry);
  }

  async release(key: string, due: string): Promise<boolean> {
    const released = this.changeIfFree(key, (entry) => ({
      ...entry,
      ...UNLEASED,
      parked: false,
      job: { ...entry.job, due, failures: 0 },
    }));
    if (released) this.notifyListeners();
    return released;
  }

  async cancel(key: string): Promise<boolean> {
    return this.changeIfFree(key, () => null);
  }

  async readQueueStats(only?: readonly string[]): Promise<QueueStats[]> {
    const details = [...this.entries.values()].map((entry) => this.toDetails(entry));
    const queues = Map.groupBy(
      details.filter(({ queue }) => only?.includes(queue) ?? true),
      ({ queue }) => queue,
    );
    return [...queues]
      .map(([queue, jobs]) => toQueueStats(queue, jobs, toIso(this.clock.now())))
      .sort((a, b) => (a.queue < b.queue ? -1 : 1));
  }

  async restore(jobs: readonly StoredJob[]): Promise<void> {
    for (const { error, parked, ...job } of jobs) {
      if (this.entries.has(job.key)) continue;
      this.entries.set(job.key, {
        job: { ...structuredClone(job), id: `${++this.enqueuedCount}` },
        ...UNLEASED,
        parked,
        error,
      });
    }
    this.notifyListeners();
  }

  onEnqueued(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private notifyListeners(): void {
    for (const listener of this.listeners) listener();
  }

  private findUnparked(queue: string): MemoryJob[] {
    return [...this.entries.values()].filter(({ job, parked }) => job.queue === queue && !parked);
  }

  protected isFree({ lease }: MemoryJob): boolean {
    return lease === null || lease <= this.clock.now();
  }

  private toDetails(entry: MemoryJob): JobDetails {
    const { job, holder, lease, parked, error } = entry;
    const status = parked ? 'parked' : this.isFree(entry) ? 'waiting' : 'running';
    const lent = status === 'running' ? { holder, lease: toIso(lease!) } : UNLEASED;
    return structuredClone({ ...job, status, ...lent, error });
  }

  private changeIfOwned({ key, id, attempt }: Job, change: (entry: MemoryJob) => MemoryJob | null): boolean {
    const entry = this.entries.get(key);
    if (entry === undefined || entry.lease === null || entry.job.id !== id || entry.job.attempt !== attempt)
      return false;
    return this.change(key, change(entry));
  }

  private changeIfFree(key: string, change: (entry: MemoryJob) => MemoryJob | null): boolean {
    const entry = this.entries.get(key);
    return entry !== undefined && this.isFree(entry) && this.change(key, change(entry));
  }

  private change(key: string, entry: MemoryJob | null): true {
    if (entry === null) this.entries.delete(key);
    else this.entries.set(key, entry);
    return true;
  }
}

function withFailure(entry: MemoryJob, error: string): MemoryJob {
  return { ...entry, ...UNLEASED, job: { ...entry.job, failures: entry.job.failures + 1 }, error };
}

function toQueueStats(queue: string, jobs: readonly JobDetails[], now: string): QueueStats {
  const filterByStatus = (status: JobDetails['status']) => jobs.filter((job) => job.status === status);
  const times = filterByStatus('waiting').map(({ due }) => due);
  const [oldestDue = null] = times.toSorted();
  const due = times.filter((time) => time <= now).length;
  return {
    queue,
    waiting: times.length,
    due,
    running: filterByStatus('running').length,
    parked: filterByStatus('parked').length,
    oldestDue,
  };
}

function compareDueAndKey(a: { due: string; key: string }, b: { due: string; key: string }): number {
  if (a.due !== b.due) return a.due < b.due ? -1 : 1;
  return a.key < b.key ? -1 : Number(a.key > b.key);
}
