import type { BuildOperator } from '../../engine/builds/build-operator.js';

export interface RebuildState {
  readonly projection: string;
  /** `stopped`: this process shut down first; the next rebuild of the projection continues there. */
  readonly status: 'running' | 'completed' | 'failed' | 'stopped';
  readonly events: number;
  readonly per_second: number;
  readonly error: string | null;
}

/** Runs rebuilds in the background until the process drains. */
export class Rebuilds {
  /** The latest rebuild of each projection. */
  private readonly states = new Map<string, RebuildState>();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly builds: BuildOperator,
    private readonly draining: AbortSignal,
  ) {}

  find(projection: string): RebuildState | null {
    return this.states.get(projection) ?? null;
  }

  /**
   * Resolves when the rebuild has begun to read the log.
   * @throws BuildRefused while another rebuild of the projection runs, in any process
   */
  async start(name: string, activates: boolean): Promise<RebuildState> {
    const { name: projection } = await this.builds.getStatus(name);
    const started = Promise.withResolvers<void>();
    let state: RebuildState = { projection, status: 'running', events: 0, per_second: 0, error: null };
    const update = (changed: Partial<RebuildState>) => {
      state = { ...state, ...changed };
      this.states.set(projection, state);
      started.resolve();
    };
    const run = this.builds.rebuild(projection, {
      switch: activates,
      signal: this.draining,
      onProgress: ({ events, perSecond }) => update({ events, per_second: perSecond }),
    });
    this.track(
      run.then(
        () => update({ status: 'completed' }),
        (error: unknown) => {
          // A rebuild that never began leaves the state of the one that runs.
          if (state === this.states.get(projection)) update(this.toFailure(error));
        },
      ),
    );
    await Promise.race([started.promise, run]);
    return state;
  }

  /** Waits until all rebuilds have stopped; call it after the process has begun to drain. */
  async settle(): Promise<void> {
    await Promise.all(this.running);
  }

  private toFailure(error: unknown): Partial<RebuildState> {
    if (this.draining.aborted) return { status: 'stopped' };
    return { status: 'failed', error: error instanceof Error ? error.message : String(error) };
  }

  private track(run: Promise<void>): void {
    this.running.add(run);
    void run.finally(() => this.running.delete(run));
  }
}
