import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Personal } from '../../engine/sealing/personal.js';
import { Streams } from '../../engine/streams/streams.js';
import { Views } from '../../engine/reading/views.js';
import { Clock } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { own } from '../../kernel/ownership.js';
import { Rejection } from '../../kernel/rejection.js';
import { chain } from '../domain/chain.js';
import { placeOfDelivery } from '../domain/delivery-id.js';
import type { ShownFailure } from '../domain/shown-failure.js';
import { Captures, type Capture } from '../sending/captures.js';
import { sentBefore, type Telling } from '../sending/envelope.js';
import { withoutValidSignatures } from '../sending/signature.js';
import { PublicEvents } from '../sending/public-events.js';
import { testTellingOf } from '../sending/test-telling.js';
import { deliveries, type DeliveryDocument } from './deliveries.js';

/** The headers and the body of a request or of a response. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Retrieves the request of an attempt. */
export class RetrieveRequest extends Query<Message> {
  constructor(
    readonly context: Context,
    readonly deliveryId: string,
  ) {
    super();
  }
}

@QueryHandler(RetrieveRequest)
export class RetrieveRequestHandler implements IQueryHandler<RetrieveRequest> {
  constructor(
    private readonly views: Views,
    private readonly captures: Captures,
    private readonly streams: Streams,
    private readonly events: PublicEvents,
    private readonly personal: Personal,
    private readonly clock: Clock,
  ) {}

  /** Rebuilds the request, so that it does not contain personal data that was erased after the attempt. */
  async execute({ context, deliveryId }: RetrieveRequest): Promise<Message> {
    const record = own(await this.views.get(deliveries, deliveryId, context.progress), context);
    const { signatures } = await captureOf(record, this.captures);
    const telling = await this.tellingOf(deliveryId);
    const data = await this.personal.open(telling.data);
    const sent = sentBefore({ ...telling, data }, { deliveryId, attempt: record.attempt, startedAt: record.created_at }, signatures);
    const ageMs = this.clock.now() - Number(signatures['webhook-timestamp']) * 1_000;
    return { ...sent, headers: withoutValidSignatures(sent.headers, ageMs) };
  }

  private async tellingOf(deliveryId: string): Promise<Telling> {
    const found = await this.streams.state(chain, placeOfDelivery(deliveryId)!.chainId);
    if (found.status === 'unknown') throw Rejection.notFound();
    return found.facts.test ? testTellingOf(found.facts) : this.events.get(found.facts.eventId);
  }
}

/** Retrieves the response that an attempt received. */
export class RetrieveResponse extends Query<Message> {
  constructor(
    readonly context: Context,
    readonly deliveryId: string,
  ) {
    super();
  }
}

@QueryHandler(RetrieveResponse)
export class RetrieveResponseHandler implements IQueryHandler<RetrieveResponse> {
  constructor(
    private readonly views: Views,
    private readonly captures: Captures,
  ) {}

  async execute({ context, deliveryId }: RetrieveResponse): Promise<Message> {
    const record = own(await this.views.get(deliveries, deliveryId, context.progress), context);
    if (record.failure !== null && record.response_status === null) throw noAnswer(record.failure);
    const { received } = await captureOf(record, this.captures);
    if (received === null) throw Rejection.notFound();
    return received;
  }
}

function noAnswer({ reason, detail }: ShownFailure): Rejection {
  return new Rejection('not_found', `No response was received: ${reason}. ${detail}`);
}

async function captureOf({ id, endpoint, created_at, duration_ms }: DeliveryDocument, captures: Captures): Promise<Capture> {
  const attempt = { deliveryId: id, endpointId: endpoint.id, startedAt: created_at, durationMs: duration_ms };
  const capture = await captures.of(attempt);
  if (capture === null) throw Rejection.notFound();
  return capture;
}
