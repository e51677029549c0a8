import type { Decider, Decision } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

/* Stored names never change: a change is a new type. */
export type PlacesEvent =
  Fact<'OwnedPlaceTaken', { readonly ownedId: string; readonly at: string }> | Fact<'OwnedPlaceFreed', { readonly ownedId: string }>;

/** The time of each claim, by the id of the owned business or key. */
type Places = ReadonlyMap<string, string>;

function evolve(places: Places, { type, data }: PlacesEvent): Places {
  const next = new Map(places);
  switch (type) {
    case 'OwnedPlaceTaken':
      return next.set(data.ownedId, data.at);
    case 'OwnedPlaceFreed':
      next.delete(data.ownedId);
      return next;
  }
}

export type PlacesCommand =
  | { readonly type: 'TakePlace'; readonly ownedId: string; readonly limit: number }
  | { readonly type: 'FreePlace'; readonly ownedId: string };

function decide(refusal: string, command: PlacesCommand, places: Places, { now }: Decision): readonly PlacesEvent[] {
  const { ownedId } = command;
  switch (command.type) {
    case 'TakePlace':
      if (places.has(ownedId)) return [];
      if (places.size >= command.limit) throw new Rejection(refusal, `The limit of ${command.limit} is reached.`);
      return [{ type: 'OwnedPlaceTaken', data: { ownedId, at: now } }];
    case 'FreePlace':
      return places.has(ownedId) ? [{ type: 'OwnedPlaceFreed', data: { ownedId } }] : [];
  }
}

/**
 * Limits what an owner can own. Each owned item claims quota first, so that concurrent requests cannot exceed the
 * limit.
 */
function placesOf(category: string, refusal: string): Decider<Places, PlacesCommand, PlacesEvent> {
  return {
    category,
    versions: { OwnedPlaceTaken: 1, OwnedPlaceFreed: 1 },
    initial: new Map(),
    evolve,
    decide: (command, places, x) => decide(refusal, command, places, x),
  };
}

/** User → businesses. */
export const businessPlaces = placesOf('businessPlaces', 'business_limit_reached');
/** Business → API keys that have not ended. */
export const keyPlaces = placesOf('keyPlaces', 'key_limit_reached');
