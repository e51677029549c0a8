import type { Decider, Decision } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

/** The locks of the active replay jobs of a business in one mode. An endpoint has at most one active job. */
export type ReplayPlacesEvent =
  | Fact<'ReplayPlaceTaken', { replayJobId: string; endpointId: string | null; at: string }>
  | Fact<'ReplayPlaceFreed', { replayJobId: string }>;

export interface ReplayPlace {
  /** Null locks every endpoint. */
  readonly endpointId: string | null;
  readonly at: string;
}

/** The locks by job id. */
export type ReplayPlaces = ReadonlyMap<string, ReplayPlace>;

function evolve(places: ReplayPlaces, event: ReplayPlacesEvent): ReplayPlaces {
  const next = new Map(places);
  switch (event.type) {
    case 'ReplayPlaceTaken':
      return next.set(event.data.replayJobId, event.data);
    case 'ReplayPlaceFreed':
      next.delete(event.data.replayJobId);
      return next;
  }
}

export type ReplayPlacesCommand =
  | { readonly type: 'TakeReplayPlace'; readonly replayJobId: string; readonly endpointId: string | null }
  | { readonly type: 'FreeReplayPlace'; readonly replayJobId: string };

function decide(command: ReplayPlacesCommand, places: ReplayPlaces, { now }: Decision): readonly ReplayPlacesEvent[] {
  const { replayJobId } = command;
  switch (command.type) {
    case 'TakeReplayPlace': {
      const { endpointId } = command;
      if (places.has(replayJobId)) return [];
      refuseConflict(endpointId, places);
      return [{ type: 'ReplayPlaceTaken', data: { replayJobId, endpointId, at: now } }];
    }
    case 'FreeReplayPlace':
      return places.has(replayJobId) ? [{ type: 'ReplayPlaceFreed', data: { replayJobId } }] : [];
  }
}

function refuseConflict(endpointId: string | null, places: ReplayPlaces): void {
  const [active] = jobsInTheWay(endpointId, places);
  if (active !== undefined) throw new Rejection('replay_job_conflict', `The replay job ${active} is active for the same endpoint.`);
}

/** Returns the jobs that lock this endpoint or, when it is null, any endpoint. */
export function jobsInTheWay(endpointId: string | null, places: ReplayPlaces): readonly string[] {
  return [...places].filter(([, place]) => endpointId === null || [null, endpointId].includes(place.endpointId)).map(([job]) => job);
}

export const replayPlaces: Decider<ReplayPlaces, ReplayPlacesCommand, ReplayPlacesEvent> = {
  category: 'replayPlaces',
  endless: true,
  baseline: { version: 1, pack: (places) => [...places], unpack: (kept) => new Map(kept as [string, ReplayPlace][]) },
  versions: { ReplayPlaceTaken: 1, ReplayPlaceFreed: 1 },
  initial: new Map(),
  evolve,
  decide,
};

export function replayPlacesId(business: string, mode: Mode): string {
  return `${business}-${mode}`;
}
