import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock } from '../../kernel/clock.js';
import { Rejection, requireFound } from '../../kernel/rejection.js';
import { describe, type DocumentOf, resource, string, stringMap } from '../../kernel/schema.js';
import { type Capture, Captures } from '../delivery/captures.js';
import { decryptPayload, type EventPayload, rebuildRequest } from '../delivery/envelope.js';
import { PublicEventCache } from '../delivery/public-event-cache.js';
import { removeValidSignatures } from '../delivery/signature.js';
import { toTestEventPayload } from '../delivery/test-event-payload.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import { parseDeliveryId } from '../domain/delivery-id.js';
import type { PublicFailure } from '../domain/public-failure.js';
import { deliveries, type DeliveryDocument } from '../projections/deliveries.js';

/** The headers and the body of a request or of a response. */
export const httpMessageSchema = resource('WebhookMessage', {
  headers: describe(
    stringMap,
    'The HTTP headers, by name. The signatures of a request are left out while receivers accept them: for 5 minutes.',
    { 'content-type': 'application/json' },
  ),
  body: describe(
    string,
    'The body. A request lacks personal data that was erased since, and a response has at most its first 16 KiB.',
    '{"received":true}',
  ),
});

export type HttpMessage = DocumentOf<typeof httpMessageSchema>;

interface DeliveryId {
  readonly deliveryId: string;
}

export class RetrieveRequest extends ContextQuery<DeliveryId, HttpMessage> {}

@QueryHandler(RetrieveRequest)
export class RetrieveRequestHandler implements IQueryHandler<RetrieveRequest> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly captures: Captures,
    private readonly streams: Streams,
    private readonly events: PublicEventCache,
    private readonly personalFields: PersonalFields,
    private readonly clock: Clock,
  ) {}

  /** Rebuilds the request, so that it does not contain personal data that was erased after the attempt. */
  async execute({ context, params: { deliveryId } }: RetrieveRequest): Promise<HttpMessage> {
    const record = await this.reader.getOwned(deliveries, deliveryId, context);
    const { signatures } = await requireCapture(record, this.captures);
    const sent = rebuildRequest(
      await decryptPayload(await this.findPayload(deliveryId), this.personalFields),
      { deliveryId, attempt: record.attempt, startedAt: record.created_at },
      signatures,
    );
    const ageMs = this.clock.now() - Number(signatures['webhook-timestamp']) * 1_000;
    return { ...sent, headers: removeValidSignatures(sent.headers, ageMs) };
  }

  private async findPayload(deliveryId: string): Promise<EventPayload> {
    const found = await this.streams.loadState(deliveryChainDecider, parseDeliveryId(deliveryId)!.chainId);
    if (found.status === 'unknown') throw Rejection.notFound();
    return found.facts.test ? toTestEventPayload(found.facts) : this.events.get(found.facts.eventId);
  }
}

export class RetrieveResponse extends ContextQuery<DeliveryId, HttpMessage> {}

@QueryHandler(RetrieveResponse)
export class RetrieveResponseHandler implements IQueryHandler<RetrieveResponse> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly captures: Captures,
  ) {}

  async execute({ context, params: { deliveryId } }: RetrieveResponse): Promise<HttpMessage> {
    const record = await this.reader.getOwned(deliveries, deliveryId, context);
    if (record.failure !== null && record.response_status === null) throw toNoResponse(record.failure);
    const { received } = await requireCapture(record, this.captures);
    if (received === null) throw Rejection.notFound();
    return received;
  }
}

function toNoResponse({ reason, detail }: PublicFailure): Rejection {
  return new Rejection('not_found', `No response was received: ${reason}. ${detail}`);
}

async function requireCapture(
  { id, endpoint, created_at, duration_ms }: DeliveryDocument,
  captures: Captures,
): Promise<Capture> {
  const attempt = { deliveryId: id, endpointId: endpoint.id, startedAt: created_at, durationMs: duration_ms };
  return requireFound(await captures.find(attempt));
}

export const captureQueryHandlers = [RetrieveRequestHandler, RetrieveResponseHandler];
