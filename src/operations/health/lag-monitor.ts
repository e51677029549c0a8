import { Injectable } from '@nestjs/common';
import { Builds } from '../../engine/builds/builds.js';
import { findCheckpointsAhead, readPositions } from '../../engine/consumers/checkpoints-ahead.js';
import { listReactorCheckpoints } from '../../engine/reactors/parts.js';
import { Registry } from '../../engine/registry.js';
import { reportAndIgnore } from '../../kernel/background-errors.js';
import { Checkpoints } from '../../kernel/checkpoints.js';
import { Clock } from '../../kernel/clock.js';
import { EventStore } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { collectionOf } from '../../kernel/projection.js';
import { ReadModels } from '../../kernel/read-models.js';

const REFRESH_MS = 5_000;
const STALLED_MS = 30_000;

interface LagStart {
  readonly position: Position;
  /** The time since which the position has been the same and the log has been ahead. */
  readonly since: number;
}

/** Compares the positions of all consumers, in every process, with the head of the log. */
@Injectable()
export class LagMonitor {
  private lagging: ReadonlyMap<string, LagStart> = new Map();
  private knownAhead: readonly string[] = [];

  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly checkpoints: Checkpoints,
    private readonly builds: Builds,
    private readonly registry: Registry,
    private readonly clock: Clock,
  ) {}

  /** Names of the consumers that have not advanced for 30 s although the log is ahead of them. */
  get stalledConsumers(): readonly string[] {
    const now = this.clock.monotonic();
    return [...this.lagging].filter(([, { since }]) => now - since >= STALLED_MS).map(([name]) => name);
  }

  /** Names of the consumers that are ahead of a restored log. They skip every new event. */
  get consumersAhead(): readonly string[] {
    return this.knownAhead;
  }

  async refresh(): Promise<void> {
    await this.builds.refresh();
    const names = [...this.listActiveBuilds(), ...listReactorCheckpoints(this.registry)];
    // The positions are read before the head, so an event that is recorded in between makes no position look ahead.
    const positions = await readPositions(names, this.checkpoints);
    const head = await this.store.readHead();
    this.knownAhead = await findCheckpointsAhead(positions, head, { events: this.store, models: this.readModels });
    const now = this.clock.monotonic();
    const lagging = positions
      .filter(([, position]) => position < head)
      .map(([name, position]) => [name, { position, since: now }] as const);
    this.lagging = new Map(lagging.map(([name, seen]) => [name, this.keepSince(name, seen)]));
  }

  /** Refreshes periodically until the signal aborts, so that the first readiness check knows the lag. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Readiness reports an unreachable store separately.
      await this.refresh().catch(reportAndIgnore({ kind: 'loop', name: 'lag monitor' }));
      await this.clock.sleep(this.clock.computePollDelay(REFRESH_MS), signal);
    }
  }

  private listActiveBuilds(): string[] {
    const builds = this.registry.projections.map((projection) => this.builds.findActive(collectionOf(projection)));
    return builds.filter((build) => build !== null);
  }

  private keepSince(name: string, seen: LagStart): LagStart {
    const before = this.lagging.get(name);
    return before?.position === seen.position ? before : seen;
  }
}
