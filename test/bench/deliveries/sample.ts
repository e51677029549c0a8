import { type Arrivals, READ_PATH } from './arrivals.ts';
import { MeasuredService } from './measured-service.ts';

/** A sample of a delivery: the body that the service sent, and its data. */
export interface Sample {
  readonly body: string;
  readonly data: object;
}

/** Captures a delivery of the service. */
export async function captureSample(arrivals: Arrivals): Promise<Sample> {
  const service = await MeasuredService.start();
  try {
    await service.createEndpoint(arrivals.url + READ_PATH);
    await arrivals.forget();
    await service.causeEvent();
    const body = (await arrivals.waitForFirst(1))[0]!.body!;
    return { body, data: (JSON.parse(body) as { data: object }).data };
  } finally {
    await service.dispose();
  }
}
