import { READ_PATH, type Arrivals } from '../deliveries/arrivals.ts';
import type { Sample } from '../deliveries/drain.ts';
import { LastingService } from './lasting-service.ts';

/** What the service itself posts of an event. */
export async function sampleOf(arrivals: Arrivals): Promise<Sample> {
  const service = await LastingService.start();
  try {
    await service.endpoint(arrivals.url + READ_PATH);
    await arrivals.forget();
    await service.occur();
    const body = (await arrivals.first(1))[0]!.body!;
    return { body, data: (JSON.parse(body) as { data: object }).data };
  } finally {
    await service.end();
  }
}
