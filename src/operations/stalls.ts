import { Injectable } from '@nestjs/common';
import { Builds } from '../engine/builds/builds.js';
import { checkpointsAhead, positionsOf } from '../engine/following/ahead.js';
import { reactorCheckpoints } from '../engine/reacting/parts.js';
import { Registry } from '../engine/registry.js';
import { Clock } from '../kernel/clock.js';
import { EventStore } from '../kernel/event-store.js';
import type { Position } from '../kernel/position.js';
import { collectionOf } from '../kernel/projection.js';
import { ReadModels } from '../kernel/read-models.js';

const LOOK_MS = 5_000;
const STALLED_MS = 30_000;

interface Behind {
  readonly position: Position;
  /** Since when it is there and the log is further. */
  readonly since: number;
}

/** Measures whatever follows the log, in this process or in another, against the log's head. */
@Injectable()
export class Stalls {
  private behind: ReadonlyMap<string, Behind> = new Map();
  private beyond: readonly string[] = [];

  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly builds: Builds,
    private readonly registry: Registry,
    private readonly clock: Clock,
  ) {}

  /** The names of those that the log has been ahead of for 30 s without their moving. */
  get names(): readonly string[] {
    const now = this.clock.monotonic();
    return [...this.behind].filter(([, { since }]) => now - since >= STALLED_MS).map(([name]) => name);
  }

  /** The names of those that are ahead of the log, which was restored: they pass over all that is recorded. */
  get ahead(): readonly string[] {
    return this.beyond;
  }

  async look(): Promise<void> {
    await this.builds.look();
    const names = [...this.activeBuilds(), ...reactorCheckpoints(this.registry)];
    // Read before the head: what is recorded in between moves a checkpoint too.
    const positions = await positionsOf(names, this.readModels);
    const head = await this.store.head();
    this.beyond = await checkpointsAhead(positions, head, { events: this.store, models: this.readModels });
    const now = this.clock.monotonic();
    const behind = positions.filter(([, position]) => position < head).map(([name, position]) => [name, { position, since: now }] as const);
    this.behind = new Map(behind.map(([name, seen]) => [name, this.sinceBefore(name, seen)]));
  }

  /** Looks now and then until the signal aborts, so that a first question has its answer. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // A store that is away shows in its own part.
      await this.look().catch(() => undefined);
      await this.clock.sleep(LOOK_MS, signal);
    }
  }

  private activeBuilds(): string[] {
    const builds = this.registry.projections.map((projection) => this.builds.activeOf(collectionOf(projection)));
    return builds.filter((build) => build !== null);
  }

  private sinceBefore(name: string, seen: Behind): Behind {
    const before = this.behind.get(name);
    return before?.position === seen.position ? before : seen;
  }
}
