import type { Checkpoints } from '../../kernel/checkpoints.js';
import type { EventStore } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { buildOf } from '../../kernel/projection.js';
import type { ReadModels } from '../../kernel/read-models.js';
import type { BuildEntry, Entry } from './catalogue.js';

export interface BuildState extends BuildEntry {
  readonly name: string;
  readonly position: Position;
  readonly documents: number;
}

export interface ProjectionStatus {
  /** For example `products@2`. */
  readonly name: string;
  /** Whether the code has this version. */
  readonly current: boolean;
  readonly active: string | null;
  readonly previous: string | null;
  readonly paused: boolean;
  readonly head: Position;
  readonly builds: readonly BuildState[];
}

interface StatusTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly checkpoints: Checkpoints;
}

export async function loadStatus(
  name: string,
  current: boolean,
  { active, previous, paused, builds }: Entry,
  tools: StatusTools,
): Promise<ProjectionStatus> {
  const named = (n: number | null) => (n === null ? null : buildOf(name, n));
  const states = await Promise.all(builds.map((build) => loadBuildState(buildOf(name, build.n), build, tools)));
  return {
    name,
    current,
    active: named(active),
    previous: named(previous),
    paused,
    head: await tools.store.readHead(),
    builds: states,
  };
}

async function loadBuildState(
  name: string,
  build: BuildEntry,
  { readModels, checkpoints }: StatusTools,
): Promise<BuildState> {
  const [position, documents] = await Promise.all([checkpoints.readCheckpoint(name), readModels.count(name, {})]);
  return { name, ...build, position, documents };
}
