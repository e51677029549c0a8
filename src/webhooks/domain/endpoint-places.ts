import type { Decider, Decision } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

/** The endpoint quota of a business in one mode. Each endpoint claims a part of it, so the limit is exact. */
export type EndpointPlacesEvent =
  Fact<'EndpointPlaceTaken', { endpointId: string; businessId: string; at: string }> | Fact<'EndpointPlaceFreed', { endpointId: string }>;

/** The claim times by endpoint id. */
type EndpointPlaces = ReadonlyMap<string, string>;

function evolve(places: EndpointPlaces, event: EndpointPlacesEvent): EndpointPlaces {
  const next = new Map(places);
  switch (event.type) {
    case 'EndpointPlaceTaken':
      return next.set(event.data.endpointId, event.data.at);
    case 'EndpointPlaceFreed':
      next.delete(event.data.endpointId);
      return next;
  }
}

export type EndpointPlacesCommand =
  | { readonly type: 'TakeEndpointPlace'; readonly endpointId: string; readonly businessId: string; readonly limit: number }
  | { readonly type: 'FreeEndpointPlace'; readonly endpointId: string };

function decide(command: EndpointPlacesCommand, places: EndpointPlaces, { now }: Decision): readonly EndpointPlacesEvent[] {
  const { endpointId } = command;
  switch (command.type) {
    case 'TakeEndpointPlace': {
      const { businessId, limit } = command;
      if (places.has(endpointId)) return [];
      if (places.size >= limit) throw new Rejection('endpoint_limit_reached', `The limit of ${limit} endpoints is reached.`);
      return [{ type: 'EndpointPlaceTaken', data: { endpointId, businessId, at: now } }];
    }
    case 'FreeEndpointPlace':
      return places.has(endpointId) ? [{ type: 'EndpointPlaceFreed', data: { endpointId } }] : [];
  }
}

export const endpointPlaces: Decider<EndpointPlaces, EndpointPlacesCommand, EndpointPlacesEvent> = {
  category: 'endpointPlaces',
  endless: true,
  baseline: { version: 1, pack: (places) => [...places], unpack: (kept) => new Map(kept as [string, string][]) },
  versions: { EndpointPlaceTaken: 1, EndpointPlaceFreed: 1 },
  initial: new Map(),
  evolve,
  decide,
};

export function endpointPlacesId(business: string, mode: Mode): string {
  return `${business}-${mode}`;
}
