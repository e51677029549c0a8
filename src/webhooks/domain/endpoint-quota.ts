import { createMapBaseline, type Decider, type DecisionContext } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

/** The endpoint quota of a business in one mode. Each endpoint claims a part of it, so the limit is exact. */
export type EndpointQuotaEvent =
  | Fact<'EndpointQuotaClaimed', { endpointId: string; businessId: string; at: string }>
  | Fact<'EndpointQuotaReleased', { endpointId: string }>;

/** The claim times by endpoint id. */
type EndpointQuota = ReadonlyMap<string, string>;

function evolve(claims: EndpointQuota, event: EndpointQuotaEvent): EndpointQuota {
  const next = new Map(claims);
  switch (event.type) {
    case 'EndpointQuotaClaimed':
      return next.set(event.data.endpointId, event.data.at);
    case 'EndpointQuotaReleased':
      next.delete(event.data.endpointId);
      return next;
  }
}

export type EndpointQuotaCommand =
  | {
      readonly type: 'ClaimEndpointQuota';
      readonly endpointId: string;
      readonly businessId: string;
      readonly limit: number;
    }
  | { readonly type: 'ReleaseEndpointQuota'; readonly endpointId: string };

function decide(
  command: EndpointQuotaCommand,
  claims: EndpointQuota,
  { now }: DecisionContext,
): readonly EndpointQuotaEvent[] {
  const { endpointId } = command;
  switch (command.type) {
    case 'ClaimEndpointQuota': {
      const { businessId, limit } = command;
      if (claims.has(endpointId)) return [];
      if (claims.size >= limit)
        throw new Rejection('endpoint_limit_reached', `The limit of ${limit} endpoints is reached.`);
      return [{ type: 'EndpointQuotaClaimed', data: { endpointId, businessId, at: now } }];
    }
    case 'ReleaseEndpointQuota':
      return claims.has(endpointId) ? [{ type: 'EndpointQuotaReleased', data: { endpointId } }] : [];
  }
}

export const endpointQuotaDecider: Decider<EndpointQuota, EndpointQuotaCommand, EndpointQuotaEvent> = {
  category: 'endpointQuota',
  unbounded: true,
  baseline: createMapBaseline(1),
  versions: { EndpointQuotaClaimed: 1, EndpointQuotaReleased: 1 },
  initial: new Map(),
  evolve,
  decide,
};

export function endpointQuotaIdOf(business: string, mode: Mode): string {
  return `${business}-${mode}`;
}
