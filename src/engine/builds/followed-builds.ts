import { collectionOf, type Projection } from '../../kernel/projection.js';
import type { Follows, Runner } from '../following/runner.js';
import type { Leases } from '../leases.js';
import type { Patience } from '../patience.js';
import { Projector, type ProjectorTools } from '../projecting/projector.js';
import type { Builds } from './builds.js';

interface FollowedTools extends ProjectorTools {
  readonly builds: Builds;
  readonly leading: Leases;
  readonly runner: (work: Follows) => Runner;
}

interface Following {
  readonly runner: Runner;
  /** Value of the catalogue entry when dead letters were last read. */
  letters: number;
}

/**
 * Keeps builds up to date. One process leads each build under a lease: it runs the build's projector. Other processes
 * stand by and take over when the lease is free. A lease only avoids duplicate work: the guards of the store prevent
 * two processes from damaging each other's documents.
 */
export class FollowedBuilds {
  private readonly following = new Map<string, Following>();
  /** Builds whose position is known here: from their own runner, or because another process leads them. */
  private readonly begun = new Set<string>();

  constructor(
    private readonly tools: FollowedTools,
    private readonly patience: Patience,
  ) {}

  get runners(): Runner[] {
    return [...this.following.values()].map(({ runner }) => runner);
  }

  /** Returns whether this process leads the build and knows its position, or has seen another process lead it. */
  hasBegun(build: string): boolean {
    return this.begun.has(build);
  }

  /**
   * Leads the build whenever no other process does, until the signal aborts.
   * @param onStarted called when `hasStarted` becomes true
   */
  async follow(projection: Projection<object>, build: string, signal: AbortSignal, begun: () => void): Promise<void> {
    const begin = () => {
      if (this.begun.has(build)) return;
      this.begun.add(build);
      begun();
    };
    try {
      await this.tools.leading.hold(`follow:${build}`, signal, (held) => this.lead(projection, build, held, begin), begin);
    } finally {
      this.begun.delete(build);
    }
  }

  private async lead(projection: Projection<object>, build: string, held: AbortSignal, begun: () => void): Promise<void> {
    const projector = new Projector(projection, this.tools, build);
    const { letters } = this.tools.builds.entry(collectionOf(projection));
    const runner = this.tools.runner(projector);
    this.following.set(build, { runner, letters });
    try {
      await this.patience.persist(() => projector.prepare(), held);
      await runner.run(held, begun);
    } catch (error) {
      if (!held.aborted) throw error;
    } finally {
      this.following.delete(build);
    }
  }

  /** Makes the runner reload the build's dead letters after a retry or a skip. */
  tellLetters(build: string, letters: number): void {
    const following = this.following.get(build);
    if (following === undefined || following.letters === letters) return;
    following.letters = letters;
    following.runner.refresh();
  }
}
