import { StoreUnavailable } from './event-store.js';
import type { Job, NewJob } from './jobs.js';

/** Newer code has created the job. It is tried again and never parked, so that a process of that code runs it. */
export class NewerJob extends StoreUnavailable {
  constructor({ key, queue }: Job, v: number) {
    super(`${key} was created by a newer version of the service: version ${v} of the queue ${queue}`, false);
    this.name = 'NewerJob';
  }
}

/** Converts the data of a job to the next version. */
type DataUpcaster<D extends object> = (data: never) => D;

/** The data of a version after the first are stored with their version. */
interface StoredData {
  readonly _v?: number;
}

interface QueueDeclaration<D extends object> {
  /** Permanent, since jobs are stored under this name. */
  readonly name: string;
  /** Converts each earlier version of the data to the next one, the oldest first. */
  readonly upcasters?: readonly [...DataUpcaster<object>[], DataUpcaster<D>];
}

/** The jobs with data of one type. Only the queue creates them and reads them. */
export interface Queue<D extends object> {
  readonly name: string;
  readonly createJob: (job: Omit<NewJob<D>, 'queue'>) => NewJob<D>;
  /**
   * Returns the job with data of the current version, as the queue stores them.
   * @throws NewerJob
   */
  readonly readJob: (job: Job) => Job<D>;
  /** Returns the data with their version, as a store keeps them. */
  readonly toStoredData: (data: D) => D;
  /** Returns the queue of a part of the jobs, which has the same data: `deliveries:whs_1`. */
  readonly subqueue: (id: string) => Queue<D>;
}

/** Declares a queue. A change of the type `D` is a new version: it needs an upcaster. */
export function declareQueue<D extends object>({ name, upcasters }: QueueDeclaration<D>): Queue<D> {
  const steps: readonly DataUpcaster<object>[] = upcasters ?? [];
  const version = steps.length + 1;
  const toStoredData = (data: D): D => (version === 1 ? data : { ...data, _v: version });
  return {
    name,
    createJob: ({ key, due, data }) => ({ key, queue: name, due, data: toStoredData(data) }),
    readJob: (job) => {
      const v = (job.data as StoredData)._v ?? 1;
      if (v > version) throw new NewerJob(job, v);
      return v === version ? (job as Job<D>) : { ...job, data: toStoredData(upcastData<D>(job.data, steps)) };
    },
    toStoredData,
    subqueue: (id) => declareQueue({ name: `${name}:${id}`, upcasters }),
  };
}

function upcastData<D extends object>(stored: StoredData, steps: readonly DataUpcaster<object>[]): D {
  const { _v: v = 1, ...data } = stored;
  return steps.slice(v - 1).reduce<object>((older, step) => step(older as never), data) as D;
}
