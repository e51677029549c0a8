import { once } from 'node:events';
import autocannon, { type Request, type Result } from 'autocannon';
import { computePercentile } from './numbers.ts';

export const CONNECTIONS = 64;

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** Whether each request has a new idempotency key. */
  readonly keyed?: boolean;
}

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The share of a core that the load generator used. Near 1 the generator limits the rate. */
  readonly generatorBusy: number;
}

let keys = 0;

/**
 * Sends the same request on all connections; each connection repeats it after its response. @throws for a status other
 * than 2xx
 */
export async function generateLoad(
  base: string,
  credential: string,
  shot: LoadRequest,
  seconds: number,
): Promise<LoadResult> {
  const durations: number[] = [];
  let refused = 0;
  const before = process.cpuUsage();
  const began = performance.now();
  const requests = [toRequest(shot, credential)];
  const run = autocannon(
    { url: base, connections: CONNECTIONS, duration: seconds, sampleInt: 100, requests },
    () => undefined,
  );
  run.on('response', (_, status, __, ms) => {
    durations.push(ms);
    if (status >= 300) refused++;
  });
  const [{ errors, timeouts }] = (await once(run, 'done')) as [Result];
  const elapsedMs = performance.now() - began;
  if (refused + errors + timeouts > 0)
    throw new Error(`${shot.method} ${shot.path}: ${refused} refused, ${errors} failed, ${timeouts} late`);

  const { user, system } = process.cpuUsage(before);
  return {
    requests: durations.length,
    requestsPerSecond: (durations.length / elapsedMs) * 1_000,
    p50Ms: computePercentile(durations, 50),
    p99Ms: computePercentile(durations, 99),
    generatorBusy: (user + system) / 1_000 / elapsedMs,
  };
}

function toRequest({ method, path, body, keyed = false }: LoadRequest, credential: string): Request {
  const headers = {
    authorization: `Bearer ${credential}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const withKey = (request: Request): Request => ({
    ...request,
    headers: { ...headers, 'idempotency-key': `bench-${++keys}` },
  });
  return { method, path, body, headers, ...(keyed && { setupRequest: withKey }) };
}
