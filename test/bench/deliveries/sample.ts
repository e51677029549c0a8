import { READ_PATH, type Arrivals } from './arrivals.ts';
import { MeasuredService } from './measured-service.ts';

/** What is posted, as the service itself has made it. */
export interface Sample {
  readonly body: string;
  readonly data: object;
}

/** What the service itself posts of an event. */
export async function sampleOf(arrivals: Arrivals): Promise<Sample> {
  const service = await MeasuredService.start();
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
