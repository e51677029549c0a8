import { createHmac } from 'node:crypto';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import type { Position } from '../../../src/kernel/position.js';
import type { ReceivedRequest } from '../receiver.js';
import type { WebhookEnvelope } from '../verify-webhook.js';

/** A secret of an endpoint, valid from this position. `text` is null when the response with the secret was lost. */
interface Secret {
  readonly since: Position;
  readonly text: string | null;
}

/**
 * I12: finds attempts signed with a secret that was rotated before the start of the attempt was recorded.
 * `secretsByRequest` holds the secrets by the id of the request whose response showed them.
 */
export function findStaleSignatures(
  requests: readonly ReceivedRequest[],
  log: readonly RecordedEvent[],
  secretsByRequest: ReadonlyMap<string, string>,
): string[] {
  const secrets = collectSecrets(log, secretsByRequest);
  const endpoints = new Map(log.flatMap(({ data }) => toChainAndEndpoint(data)));
  const starts = new Map(
    log.filter(({ type }) => type === 'AttemptStarted').map((start) => [(start.data as Start).deliveryId, start]),
  );
  return requests.flatMap((request) => {
    const { delivery_id } = JSON.parse(request.body) as WebhookEnvelope;
    const start = starts.get(delivery_id);
    if (start === undefined) return [`${delivery_id} was sent, but its start is not recorded`];
    const ofEndpoint = secrets.get(endpoints.get((start.data as Start).chainId) ?? '') ?? [];
    return isSignedInTime(request, start.position, ofEndpoint)
      ? []
      : [`${delivery_id} is not signed with a secret that was valid at its start`];
  });
}

interface Start {
  readonly chainId: string;
  readonly deliveryId: string;
}

/**
 * Whether the request is signed with the secret that was current at its start, or with a later one. If one of these
 * secrets is unknown, only a signature with an older secret counts as wrong.
 */
function isSignedInTime(request: ReceivedRequest, startedAt: Position, secrets: readonly Secret[]): boolean {
  const current = secrets.findLastIndex(({ since }) => since < startedAt);
  const [retired, right] = [secrets.slice(0, current), secrets.slice(Math.max(0, current))];
  if (right.some(({ text }) => text === null)) return !retired.some((secret) => signs(secret, request));
  return right.some((secret) => signs(secret, request));
}

function signs({ text }: Secret, { headers, body }: ReceivedRequest): boolean {
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(String(headers['x-service-signature'])) ?? [];
  return text !== null && createHmac('sha256', text).update(`${seconds}.${body}`).digest('hex') === signature;
}

/** Returns the secrets of each endpoint, oldest first. */
function collectSecrets(
  log: readonly RecordedEvent[],
  secretsByRequest: ReadonlyMap<string, string>,
): Map<string, Secret[]> {
  const given = log.filter(({ type }) => type === 'EndpointCreated' || type === 'SecretRotated');
  const byEndpoint = Map.groupBy(given, ({ data }) => (data as { endpointId: string }).endpointId);
  const toSecret = ({ position, meta }: RecordedEvent): Secret => ({
    since: position,
    text: secretsByRequest.get(meta.requestId ?? '') ?? null,
  });
  return new Map([...byEndpoint].map(([id, events]) => [id, events.map(toSecret)]));
}

function toChainAndEndpoint(data: object): [chainId: string, endpointId: string][] {
  const { chainId, endpointId } = data as { readonly chainId?: string; readonly endpointId?: string };
  return chainId === undefined || endpointId === undefined ? [] : [[chainId, endpointId]];
}
