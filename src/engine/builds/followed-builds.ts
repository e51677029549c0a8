import { collectionOf, type Projection } from '../../kernel/projection.js';
import type { ConsumerRunner } from '../consumers/consumer-runner.js';
import type { EventConsumer } from '../consumers/event-consumer.js';
import type { LeaseRunner } from '../lease-runner.js';
import { Projector, type ProjectorTools } from '../projections/projector.js';
import type { Retrier } from '../retrier.js';
import type { Builds } from './builds.js';

export interface FollowedTools extends ProjectorTools {
  readonly builds: Builds;
  /** Leases of build leaders. */
  readonly leading: LeaseRunner;
  readonly createRunner: (work: EventConsumer) => ConsumerRunner;
}

interface Following {
  readonly runner: ConsumerRunner;
  /** Value of the catalogue entry when dead letters were last read. */
  deadLetterRevision: number;
}

/**
 * Keeps builds up to date. One process leads each build under a lease: it runs the build's projector. Other processes
 * stand by and take over when the lease is free. A lease only avoids duplicate work: the guards of the store prevent
 * two processes from damaging each other's documents.
 */
export class FollowedBuilds {
  private readonly following = new Map<string, Following>();
  /** Builds whose position is known here: from their own runner, or because another process leads them. */
  private readonly started = new Set<string>();

  constructor(
    private readonly tools: FollowedTools,
    private readonly retrier: Retrier,
  ) {}

  get runners(): ConsumerRunner[] {
    return [...this.following.values()].map(({ runner }) => runner);
  }

  /** Returns whether this process leads the build and knows its position, or has seen another process lead it. */
  hasStarted(build: string): boolean {
    return this.started.has(build);
  }

  /**
   * Leads the build whenever no other process does, until the signal aborts.
   * @param onStarted called when `hasStarted` becomes true
   */
  async follow(
    projection: Projection<object>,
    build: string,
    signal: AbortSignal,
    onStarted: () => void,
  ): Promise<void> {
    const start = () => {
      if (this.started.has(build)) return;
      this.started.add(build);
      onStarted();
    };
    try {
      await this.tools.leading.hold(
        `follow:${build}`,
        signal,
        (held) => this.lead(projection, build, held, start),
        start,
      );
    } finally {
      this.started.delete(build);
    }
  }

  private async lead(
    projection: Projection<object>,
    build: string,
    held: AbortSignal,
    onStarted: () => void,
  ): Promise<void> {
    const projector = new Projector(projection, this.tools, build);
    const { deadLetterRevision } = this.tools.builds.getEntry(collectionOf(projection));
    const runner = this.tools.createRunner(projector);
    this.following.set(build, { runner, deadLetterRevision });
    try {
      await this.retrier.run(() => projector.prepare(), held);
      await runner.run(held, onStarted);
    } catch (error) {
      if (!held.aborted) throw error;
    } finally {
      this.following.delete(build);
    }
  }

  /** Makes the runner reload the build's dead letters after a retry or a skip. */
  refreshDeadLetters(build: string, deadLetterRevision: number): void {
    const following = this.following.get(build);
    if (following === undefined || following.deadLetterRevision === deadLetterRevision) return;
    following.deadLetterRevision = deadLetterRevision;
    following.runner.refresh();
  }
}
