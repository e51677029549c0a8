import { collectionOf, type Projection } from '../../kernel/projection.js';
import type { Follows, Runner } from '../following/runner.js';
import type { Patience } from '../patience.js';
import { Projector, type ProjectorTools } from '../projecting/projector.js';
import type { Builds } from './builds.js';

interface FollowedTools extends ProjectorTools {
  readonly builds: Builds;
  readonly runner: (work: Follows) => Runner;
}

interface Following {
  readonly runner: Runner;
  /** As often as dead letters had been retried or skipped when they were last read. */
  letters: number;
  begun: boolean;
}

/** The builds that this process keeps up to date, each by a runner of its own. */
export class FollowedBuilds {
  private readonly following = new Map<string, Following>();

  constructor(
    private readonly tools: FollowedTools,
    private readonly patience: Patience,
  ) {}

  get runners(): Runner[] {
    return [...this.following.values()].map(({ runner }) => runner);
  }

  /** Whether it is known how far the build has come. */
  hasBegun(build: string): boolean {
    return this.following.get(build)?.begun ?? false;
  }

  /** Until the signal aborts. @param begun called when it is known how far the build has come */
  async follow(projection: Projection<object>, build: string, signal: AbortSignal, begun: () => void): Promise<void> {
    const projector = new Projector(projection, this.tools, build);
    const { letters } = this.tools.builds.entry(collectionOf(projection));
    const following: Following = { runner: this.tools.runner(projector), letters, begun: false };
    this.following.set(build, following);
    try {
      await this.patience.persist(() => projector.prepare(), signal);
      await following.runner.run(signal, () => {
        following.begun = true;
        begun();
      });
    } finally {
      this.following.delete(build);
    }
  }

  /** The build's dead letters are read anew when they were retried or skipped meanwhile. */
  tellLetters(build: string, letters: number): void {
    const following = this.following.get(build);
    if (following === undefined || following.letters === letters) return;
    following.letters = letters;
    following.runner.refresh();
  }
}
