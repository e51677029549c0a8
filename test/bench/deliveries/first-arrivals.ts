import type { Arrival, Arrivals } from './arrivals.ts';

/**
 * Returns the time of the first request of each event, by the id in the event's data, once `count` have arrived or no
 * more do.
 */
export async function findFirstArrivals(arrivals: Arrivals, count: number): Promise<ReadonlyMap<string, number>> {
  const arrived = await arrivals.waitForFirst(count).catch(() => arrivals.waitForFirst(0));
  return new Map(arrived.map((arrival) => [parseBody(arrival).data.id, arrival.at] as const).reverse());
}

/** Parses the body that the receiver stored. */
export function parseBody({ body }: Arrival): { readonly id: string; readonly data: { readonly id: string } } {
  return JSON.parse(body!) as ReturnType<typeof parseBody>;
}
