import type { EventStore } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { buildOf } from '../../kernel/projection.js';
import type { ReadModels } from '../../kernel/read-models.js';
import type { BuildEntry, Entry } from './catalogue.js';

export interface BuildState extends BuildEntry {
  readonly name: string;
  /** Checkpoint of the build. */
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
  /** Head of the log. */
  readonly head: Position;
  readonly builds: readonly BuildState[];
}

export async function loadStatus(
  name: string,
  current: boolean,
  { active, previous, paused, builds }: Entry,
  { store, readModels }: { readonly store: EventStore; readonly readModels: ReadModels },
): Promise<ProjectionStatus> {
  const named = (n: number | null) => (n === null ? null : buildOf(name, n));
  const states = await Promise.all(builds.map((build) => loadBuildState(buildOf(name, build.n), build, readModels)));
  return {
    name,
    current,
    active: named(active),
    previous: named(previous),
    paused,
    head: await store.readHead(),
    builds: states,
  };
}

async function loadBuildState(name: string, build: BuildEntry, readModels: ReadModels): Promise<BuildState> {
  const [position, documents] = await Promise.all([readModels.readCheckpoint(name), readModels.count(name, {})]);
  return { name, ...build, position, documents };
}
