import { Injectable } from '@nestjs/common';
import type { Decider } from '../kernel/decider.js';
import type { Fact, RecordedOf, TypesOf } from '../kernel/event.js';
import type { Job } from '../kernel/jobs.js';
import type { Projection, Versioned } from '../kernel/projection.js';
import type { Queue } from '../kernel/queue.js';
import type { Upcasters } from '../kernel/upcasting.js';
import { projectionSkipsDecider } from './projections/skips.js';
import type { MaxDelay } from './reactors/job-delays.js';

/**
 * Follows the log with its own checkpoint and turns events into jobs or commands. `react` is called at least once per
 * event, in order within a stream. It must be idempotent (`causedBy` derives stable command ids). A reactor is never
 * rebuilt.
 */
export interface Reactor<E extends Fact> {
  /** Permanent: the checkpoint is stored under this name. */
  readonly name: string;
  readonly types: TypesOf<E>;
  /** Projections that the reactor reads: it starts when each of them can be read. */
  readonly needs?: readonly Versioned[];
  react(event: RecordedOf<E>): Promise<void>;
}

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- reactors of different events side by side */
export type AnyReactor = Reactor<any>;

/** Thrown by a run that would fail each time: the job is parked for an operator at once. */
export class ParkJob extends Error {
  /** @param isReported whether the error of the job is known already */
  constructor(
    message: string,
    readonly isReported = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ParkJob';
  }
}

/** Result of a run that is not complete: the job is rescheduled to `at`. */
export interface Reschedule<D extends object = never> {
  readonly at: string;
  readonly reason: string;
  /** Replaces the data of the job. Retries, and a retry by an operator, keep them. */
  readonly data?: D;
}

/** Runs the jobs of a queue. A job that throws is retried with backoff and parked after the last try. */
export interface JobHandler<D extends object> {
  readonly queue: Queue<D>;
  /** Projections that the runs read: the handler starts when each of them can be read. */
  readonly needs?: readonly Versioned[];
  /** Maximum number of concurrent jobs in this process. */
  readonly concurrency: number;
  /**
   * Time after which another process takes over the jobs of a dead process; 15 s by default. The lease is renewed
   * during a run.
   */
  readonly leaseMs?: number;
  /**
   * The longest time for which a job waits. A job that is due later was dated by a clock that was ahead, and is moved to
   * this time from now.
   */
  readonly maxDelayMs?: MaxDelay;
  readonly run: (job: Job<D>) => Promise<void | Reschedule<D>>;
}

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- handlers of different data side by side */
export type AnyJobHandler = JobHandler<any>;

/** The parts that an area registers with the engine. */
export interface Registrations {
  /** All deciders of the area: an event type that no decider records is unknown to this code. */
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- deciders of different nouns side by side */
  readonly deciders?: readonly Decider<any, any, any>[];
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- projections of different documents side by side */
  readonly projections?: readonly Projection<any>[];
  readonly reactors?: readonly AnyReactor[];
  readonly jobs?: readonly AnyJobHandler[];
  readonly upcasters?: Upcasters;
}

/** Everything that the engine runs, as registered by the modules of the areas. */
@Injectable()
export class Registry {
  readonly deciders: Decider<unknown, never, Fact>[] = [];
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- projections of different documents side by side */
  readonly projections: Projection<any>[] = [];
  readonly reactors: AnyReactor[] = [];
  /**
   * Number of parts into which each reactor is divided by stream. Processes share the parts, so all processes use the
   * same number.
   */
  reactorParts = 1;
  readonly jobs: AnyJobHandler[] = [];
  readonly upcasters: Record<string, Upcasters[string]> = {};
  /** Every known event type with its newest version. */
  readonly versions: Record<string, number> = {};

  constructor() {
    this.add({ deciders: [projectionSkipsDecider] });
  }

  add({ deciders = [], projections = [], reactors = [], jobs = [], upcasters = {} }: Registrations): void {
    this.deciders.push(...deciders);
    Object.assign(this.versions, ...deciders.map(({ versions }) => versions));
    this.projections.push(...projections);
    this.reactors.push(...reactors);
    this.jobs.push(...jobs);
    Object.assign(this.upcasters, upcasters);
  }
}
