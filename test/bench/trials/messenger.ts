import { MeasuredService } from '../deliveries/measured-service.ts';
import type { BeginMessenger } from './isolation.ts';

/** Starts the service with one business per endpoint and the default limits. */
export const beginService: BeginMessenger = async (urls, environment) => {
  const service = await MeasuredService.start(environment);
  const keys = await service.businesses(urls.length);
  for (const [i, url] of urls.entries()) await service.endpoint(url, service.api(keys[i]));
  const apis = keys.map((key) => service.api(key));
  return { tell: (endpoint) => service.occur(apis[endpoint]), end: () => service.end() };
};
