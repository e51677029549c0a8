import type { Arrival, Arrivals } from './arrivals.ts';

/** When the first request for each event came, by the id that the event's data have: once so many have come, or no more do. */
export async function arrivedFirst(arrivals: Arrivals, count: number): Promise<ReadonlyMap<string, number>> {
  const arrived = await arrivals.first(count).catch(() => arrivals.first(0));
  return new Map(arrived.map((arrival) => [bodyOf(arrival).data.id, arrival.at] as const).reverse());
}

/** What the receiver kept of a request, as it was told where bodies are read. */
export function bodyOf({ body }: Arrival): { readonly id: string; readonly data: { readonly id: string } } {
  return JSON.parse(body!) as ReturnType<typeof bodyOf>;
}
