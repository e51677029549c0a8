import type { EndpointSettings } from '../domain/endpoint-settings.js';

/** Where the attempts of an endpoint go, and how many sends per second its owner allows; null: no limit of the owner. */
export interface Receiver {
  readonly endpointId: string;
  readonly url: string;
  readonly ratePerSecond: number | null;
}

export function toReceiver(
  endpointId: string,
  { url, rateLimitPerSecond: ratePerSecond }: Pick<EndpointSettings, 'url' | 'rateLimitPerSecond'>,
): Receiver {
  return { endpointId, url, ratePerSecond };
}
