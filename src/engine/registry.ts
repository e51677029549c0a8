import { Injectable } from '@nestjs/common';
import type { Decider } from '../kernel/decider.js';
import type { Fact, Recorded } from '../kernel/event.js';
import type { Job } from '../kernel/jobs.js';
import type { Projection, Versioned } from '../kernel/projection.js';
import type { Upcasters } from '../kernel/upcasting.js';
import { projectionSkips } from './projecting/skips.js';

/**
 * Follows the log with a checkpoint of its own and turns events into jobs or commands. Called at least once per event, events of one
 * stream in order; what it does must be the same when it is done twice (`causedBy` gives such command ids). Never rebuilt.
 */
export interface Reactor {
  /** For ever: the checkpoint is kept under it. */
  readonly name: string;
  readonly types: readonly string[];
  /** Projections that it decides by: it starts when each of them can be read. */
  readonly needs?: readonly Versioned[];
  react(event: Recorded): Promise<void>;
}

/** Thrown by a run that would fail each time: the job is set aside for an operator at once. */
export class Parked extends Error {}

/** Not done yet: the job is put back until then. */
export interface Again {
  readonly again: string;
  readonly why: string;
}

/** What a worker does with the jobs of a queue. A throw is retried with backoff, and parked after the last try. */
export interface JobHandler {
  readonly queue: string;
  /** Projections that its runs decide by: it starts when each of them can be read. */
  readonly needs?: readonly Versioned[];
  /** How many at once in this process. */
  readonly concurrency: number;
  /** How soon another process takes over from one that is gone; 15 s, unless told. It is renewed for as long as a run takes. */
  readonly leaseMs?: number;
  run(job: Job): Promise<void | Again>;
}

/** What an area brings to the engine. */
export interface Wiring {
  /** Every decider of the area: an event type that no decider records is unknown to this code. */
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- deciders of different nouns side by side */
  readonly deciders?: readonly Decider<any, any, any>[];
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- projections of different documents side by side */
  readonly projections?: readonly Projection<any>[];
  readonly reactors?: readonly Reactor[];
  readonly jobs?: readonly JobHandler[];
  readonly upcasters?: Upcasters;
}

/** Everything that the engine runs, as the areas' modules listed it. */
@Injectable()
export class Registry {
  readonly deciders: Decider<unknown, never, Fact>[] = [];
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- projections of different documents side by side */
  readonly projections: Projection<any>[] = [];
  readonly reactors: Reactor[] = [];
  /** Into how many parts each reactor is divided, by stream: processes share them. The same in all processes. */
  reactorParts = 1;
  readonly jobs: JobHandler[] = [];
  readonly upcasters: Record<string, Upcasters[string]> = {};
  /** Every event type that the code knows, with the newest version of its shape. */
  readonly versions: Record<string, number> = {};

  constructor() {
    this.add({ deciders: [projectionSkips] });
  }

  add({ deciders = [], projections = [], reactors = [], jobs = [], upcasters = {} }: Wiring): void {
    this.deciders.push(...deciders);
    Object.assign(this.versions, ...deciders.map(({ versions }) => versions));
    this.projections.push(...projections);
    this.reactors.push(...reactors);
    this.jobs.push(...jobs);
    Object.assign(this.upcasters, upcasters);
  }
}
