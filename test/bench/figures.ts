import type { LoadRequest } from './load-generator.ts';
import { takeMedianDelays } from './loop-delay.ts';
import { computeMedian, round } from './numbers.ts';
import type { Slice } from './slices.ts';

/**
 * Returns the medians of the rounds and the ratios of the service to the bare application, which do not depend on the
 * machine.
 */
export function toFigure(
  name: string,
  { method, path }: LoadRequest,
  slices: { readonly service: readonly Slice[]; readonly bare: readonly Slice[] },
) {
  const [service, bare] = [takeMedians(slices.service), takeMedians(slices.bare)];
  const ratio = (field: 'requests_per_second' | 'p50_ms' | 'p99_ms' | 'cpu_us_per_request') =>
    round(service[field] / bare[field]);
  return {
    name,
    request: `${method} ${path}`,
    ratios: {
      requests_per_second: ratio('requests_per_second'),
      p50: ratio('p50_ms'),
      p99: ratio('p99_ms'),
      cpu: ratio('cpu_us_per_request'),
    },
    service,
    bare,
  };
}

function takeMedians(slices: readonly Slice[]) {
  const middle = (of: (slice: Slice) => number) => round(computeMedian(slices.map(of)));
  return {
    requests_per_second: middle((slice) => slice.requestsPerSecond),
    requests_per_second_of_each_round: slices.map((slice) => round(slice.requestsPerSecond)),
    p50_ms: middle((slice) => slice.p50Ms),
    p99_ms: middle((slice) => slice.p99Ms),
    cpu_us_per_request: middle((slice) => slice.cpuMicrosPerRequest),
    event_loop_delay_ms: takeMedianDelays(slices.map(({ eventLoopDelayMs }) => eventLoopDelayMs)),
    generator_busy: middle((slice) => slice.generatorBusy),
  };
}
