import { MeasuredService } from '../deliveries/measured-service.ts';
import type { StartPublisher } from './isolation.ts';

/** Starts the service with one business per endpoint and the default limits of endpoints. */
export const startServicePublisher: StartPublisher = async (urls, environment) => {
  const service = await MeasuredService.start({ ...environment, BUSINESS_LIMIT: String(urls.length + 1) });
  const keys = await service.createBusinesses(urls.length);
  for (const [i, url] of urls.entries()) await service.createEndpoint(url, service.createApi(keys[i]));
  const apis = keys.map((key) => service.createApi(key));
  return { publish: (endpoint) => service.causeEvent(apis[endpoint]), stop: () => service.dispose() };
};
