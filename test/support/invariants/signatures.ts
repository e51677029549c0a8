import { createHmac } from 'node:crypto';
import type { Recorded } from '../../../src/kernel/event.js';
import type { Position } from '../../../src/kernel/position.js';
import type { Received } from '../receiver.js';
import type { Envelope } from '../verified.js';

/** A secret of an endpoint from this position on; null when the answer that told it was lost. */
interface Secret {
  readonly since: Position;
  readonly text: string | null;
}

/**
 * I12: no attempt is signed with a secret that had been rotated away before its start was recorded.
 * `told` holds the secrets by the id of the request that was told them.
 */
export function staleSignatures(requests: readonly Received[], log: readonly Recorded[], told: ReadonlyMap<string, string>): string[] {
  const secrets = secretsIn(log, told);
  const endpoints = new Map(log.flatMap(({ data }) => chainAndEndpoint(data)));
  const starts = new Map(log.filter(({ type }) => type === 'AttemptStarted').map((start) => [(start.data as Start).deliveryId, start]));
  return requests.flatMap((request) => {
    const { delivery_id } = JSON.parse(request.body) as Envelope;
    const start = starts.get(delivery_id);
    if (start === undefined) return [`${delivery_id} was sent, and its start is not recorded`];
    const ofEndpoint = secrets.get(endpoints.get((start.data as Start).chainId) ?? '') ?? [];
    return isSignedInTime(request, start.position, ofEndpoint) ? [] : [`${delivery_id} is not signed with a secret of its time`];
  });
}

interface Start {
  readonly chainId: string;
  readonly deliveryId: string;
}

/** With the one that was there at its start, or with a later one. Where one of them was never told, only the older ones are known to be wrong. */
function isSignedInTime(request: Received, startedAt: Position, secrets: readonly Secret[]): boolean {
  const current = secrets.findLastIndex(({ since }) => since < startedAt);
  const [retired, right] = [secrets.slice(0, current), secrets.slice(Math.max(0, current))];
  if (right.some(({ text }) => text === null)) return !retired.some((secret) => signs(secret, request));
  return right.some((secret) => signs(secret, request));
}

function signs({ text }: Secret, { headers, body }: Received): boolean {
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(String(headers['x-service-signature'])) ?? [];
  return text !== null && createHmac('sha256', text).update(`${seconds}.${body}`).digest('hex') === signature;
}

/** Of each endpoint, the oldest first. */
function secretsIn(log: readonly Recorded[], told: ReadonlyMap<string, string>): Map<string, Secret[]> {
  const given = log.filter(({ type }) => type === 'EndpointCreated' || type === 'SecretRotated');
  const byEndpoint = Map.groupBy(given, ({ data }) => (data as { endpointId: string }).endpointId);
  const secretOf = ({ position, meta }: Recorded): Secret => ({ since: position, text: told.get(meta.requestId ?? '') ?? null });
  return new Map([...byEndpoint].map(([id, events]) => [id, events.map(secretOf)]));
}

function chainAndEndpoint(data: object): [chainId: string, endpointId: string][] {
  const { chainId, endpointId } = data as { readonly chainId?: string; readonly endpointId?: string };
  return chainId === undefined || endpointId === undefined ? [] : [[chainId, endpointId]];
}
