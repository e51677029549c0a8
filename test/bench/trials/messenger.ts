import { MeasuredService } from '../deliveries/measured-service.ts';
import type { BeginMessenger } from './isolation.ts';

/** The service, with a business for each endpoint, and its limits as they are. */
export const beginService: BeginMessenger = async (urls, environment) => {
  const service = await MeasuredService.start(environment);
  const keys = await service.businesses(urls.length);
  for (const [i, url] of urls.entries()) await service.endpoint(url, service.api(keys[i]));
  const apis = keys.map((key) => service.api(key));
  return { tell: (endpoint) => service.occur(apis[endpoint]), end: () => service.end() };
};
