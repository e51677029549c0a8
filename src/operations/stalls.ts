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
  /** The time since which the position has been the same and the log has been ahead. */
  readonly since: number;
}

/** Compares the positions of all consumers, in every process, with the head of the log. */
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

  /** Names of the consumers that have not advanced for 30 s although the log is ahead of them. */
  get names(): readonly string[] {
    const now = this.clock.monotonic();
    return [...this.behind].filter(([, { since }]) => now - since >= STALLED_MS).map(([name]) => name);
  }

  /** Names of the consumers that are ahead of a restored log. They skip every new event. */
  get ahead(): readonly string[] {
    return this.beyond;
  }

  async look(): Promise<void> {
    await this.builds.look();
    const names = [...this.activeBuilds(), ...reactorCheckpoints(this.registry)];
    // The positions are read before the head, so an event that is recorded in between makes no position look ahead.
    const positions = await positionsOf(names, this.readModels);
    const head = await this.store.head();
    this.beyond = await checkpointsAhead(positions, head, { events: this.store, models: this.readModels });
    const now = this.clock.monotonic();
    const behind = positions.filter(([, position]) => position < head).map(([name, position]) => [name, { position, since: now }] as const);
    this.behind = new Map(behind.map(([name, seen]) => [name, this.sinceBefore(name, seen)]));
  }

  /** Refreshes periodically until the signal aborts, so that the first readiness check knows the lag. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Readiness reports an unreachable store separately.
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
