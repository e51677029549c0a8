import type { Arrival, Arrivals } from './arrivals.ts';

/**
 * Returns the time of the first request of each event, by the id in the event's data, once `count` have arrived or no
 * more do.
 */
export async function arrivedFirst(arrivals: Arrivals, count: number): Promise<ReadonlyMap<string, number>> {
  const arrived = await arrivals.first(count).catch(() => arrivals.first(0));
  return new Map(arrived.map((arrival) => [bodyOf(arrival).data.id, arrival.at] as const).reverse());
}

/** Parses the body that the receiver stored. */
export function bodyOf({ body }: Arrival): { readonly id: string; readonly data: { readonly id: string } } {
  return JSON.parse(body!) as ReturnType<typeof bodyOf>;
}
