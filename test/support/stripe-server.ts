import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { closeAfterSpec } from './cleanups.js';

type Fields = Readonly<Record<string, string>>;
type Json = Record<string, unknown>;

interface StripeResponse {
  readonly status: number;
  readonly body: object;
}

/** A fault of the response to a processed request: the response is never sent, is cut, or is replaced by a 500. */
export type ResponseFault = 'silence' | 'cut' | 'error';

interface Intent extends Json {
  readonly id: string;
  readonly created: number;
  readonly metadata: Json;
  status: string;
}

/** The outcomes of Stripe's test methods. */
const DECLINES: Readonly<Record<string, Json>> = {
  pm_card_chargeDeclined: { code: 'card_declined', decline_code: 'generic_decline' },
  pm_card_chargeDeclinedInsufficientFunds: { code: 'card_declined', decline_code: 'insufficient_funds' },
  pm_card_chargeDeclinedLostCard: { code: 'card_declined', decline_code: 'lost_card' },
  pm_card_chargeDeclinedStolenCard: { code: 'card_declined', decline_code: 'stolen_card' },
  pm_card_chargeDeclinedFraudulent: { code: 'card_declined', decline_code: 'fraudulent' },
  pm_card_chargeDeclinedExpiredCard: { code: 'expired_card' },
  pm_card_chargeDeclinedNoRetry: {
    code: 'card_declined',
    decline_code: 'do_not_honor',
    advice_code: 'do_not_try_again',
  },
};
const STATUSES: Readonly<Record<string, string>> = {
  pm_card_visa: 'succeeded',
  pm_card_mastercard: 'succeeded',
  pm_card_refundFail: 'succeeded',
  pm_card_authenticationRequired: 'requires_action',
  /** Succeeds when it is read the next time, and so do its refunds. */
  pm_processing: 'processing',
};

/**
 * A server on loopback that plays the part of Stripe's API that the gateway uses. It keeps what it was asked for, with
 * idempotency keys, and can lose the response of a request that it has processed.
 */
export class StripeServer {
  /** The method and path of every request. */
  readonly requests: string[] = [];
  readonly sent: Fields[] = [];
  /** The faults of the next requests to a path. */
  private readonly faults = new Map<string, ResponseFault[]>();
  private readonly intents: Intent[] = [];
  private readonly refunds: Json[] = [];
  private readonly responses = new Map<string, StripeResponse>();
  private readonly customers = new Map<string, string>();
  /** Whether the search finds nothing, as for new intents. */
  isSearchLate = false;
  /** Whether the account has no search, as in some countries. */
  hasNoSearch = false;
  private readonly cleanup = closeAfterSpec(() => this.stop());

  private constructor(private readonly server: Server) {}

  static async start(): Promise<StripeServer> {
    const server = createServer((request, response) => void started.handle(request, response));
    const started = new StripeServer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  failNext(route: string, ...faults: readonly ResponseFault[]): void {
    this.faults.set(route, [...faults]);
  }

  /** Forgets the idempotency keys, as Stripe does after a day. */
  forgetKeys(): void {
    this.responses.clear();
  }

  findIntent(paymentId: string): Intent {
    return this.intents.find(({ metadata }) => metadata.payment_id === paymentId)!;
  }

  countIntents(paymentId: string): number {
    return this.intents.filter(({ metadata }) => metadata.payment_id === paymentId).length;
  }

  changeIntent(paymentId: string, change: Json): Intent {
    return Object.assign(this.findIntent(paymentId), change);
  }

  findRefund(refundId: string): Json {
    return this.refunds.find(({ metadata }) => (metadata as Json).refund_id === refundId)!;
  }

  changeRefund(refundId: string, change: Json): Json {
    return Object.assign(this.findRefund(refundId), change);
  }

  async stop(): Promise<void> {
    this.cleanup.cancel();
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://stripe');
    const route = `${request.method} ${url.pathname}`;
    const fields = Object.fromEntries(new URLSearchParams((await text(request)) || url.search));
    this.requests.push(route);
    this.sent.push(fields);
    const result = this.respondOnce(route, fields, request.headers['idempotency-key'] as string | undefined);
    const fault = this.faults.get(route)?.shift();
    if (fault === 'silence') return;
    if (fault === 'cut') return void response.destroy();
    const { status, body } = fault === 'error' ? { status: 500, body: { error: { type: 'api_error' } } } : result;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  /** A repeated key returns the first result, and another request under it an error. */
  private respondOnce(route: string, fields: Fields, key: string | undefined): StripeResponse {
    const known = key === undefined || !route.startsWith('POST') ? undefined : this.responses.get(key);
    if (known !== undefined) return known;
    const result = this.respond(route, fields);
    if (key !== undefined && route.startsWith('POST')) this.responses.set(key, result);
    return result;
  }

  private respond(route: string, fields: Fields): StripeResponse {
    const [, method, id] = /^(\w+) .*?(?:\/((?:pm|pi|cus|re)_\w+))?(?:\/cancel)?$/.exec(route)!;
    if (route.startsWith('GET /v1/payment_methods/')) return this.findMethod(id!);
    if (route.endsWith('/attach')) return this.attach(route, fields);
    if (route === 'POST /v1/customers') return ok({ id: `cus_${this.requests.length}`, object: 'customer' });
    if (route === 'POST /v1/payment_intents') return this.createIntent(fields);
    if (route === 'GET /v1/payment_intents/search') return this.search(fields);
    if (route === 'GET /v1/payment_intents') return this.listIntents(fields);
    if (route === 'POST /v1/refunds') return this.createRefund(fields);
    if (route === 'GET /v1/refunds') return this.listRefunds(fields);
    const intent = this.intents.find((one) => one.id === id);
    if (intent === undefined) return refuse({ code: 'resource_missing', message: `No such ${id}` }, 404);
    if (method === 'POST') return cancel(intent);
    if (intent.status === 'processing') intent.status = 'succeeded';
    return ok(intent);
  }

  private findMethod(id: string): StripeResponse {
    if (STATUSES[id] === undefined && DECLINES[id] === undefined)
      return refuse({ code: 'resource_missing', message: `No such PaymentMethod: '${id}'` }, 404);
    return ok({ ...toMethod(id), customer: this.customers.get(id) ?? null });
  }

  private attach(route: string, { customer }: Fields): StripeResponse {
    const id = route.split('/').at(-2)!;
    this.customers.set(id, customer!);
    return ok({ ...toMethod(id), customer });
  }

  private createIntent(fields: Fields): StripeResponse {
    const token = fields.payment_method!;
    const created = Math.floor(Date.now() / 1000);
    const failure = DECLINES[token];
    const base = { id: `pi_${this.intents.length + 1}`, object: 'payment_intent', created };
    const metadata = { payment_id: fields['metadata[payment_id]'] };
    const amounts = { amount: Number(fields.amount), currency: fields.currency };
    const status = failure === undefined ? STATUSES[token]! : 'requires_payment_method';
    const error = failure && {
      type: 'card_error',
      message: 'Your card was declined.',
      ...failure,
      payment_method: toMethod(token),
    };
    const charge = { id: 'ch_1', object: 'charge', payment_method_details: toMethod(token) };
    const intent = {
      ...base,
      ...amounts,
      metadata,
      status,
      latest_charge: charge,
      last_payment_error: error ?? null,
      token,
    };
    this.intents.push(intent);
    return error === undefined ? ok(intent) : refuse(error, 402);
  }

  private search({ query }: Fields): StripeResponse {
    if (this.hasNoSearch) return refuse({ message: 'Search is not available in your region.' }, 400);
    const paymentId = /'payment_id'\]:'([^']+)'/.exec(query!)?.[1];
    const found = this.isSearchLate ? [] : this.intents.filter(({ metadata }) => metadata.payment_id === paymentId);
    return ok({ object: 'search_result', data: found.slice(0, 1), has_more: false, url: '/v1/payment_intents/search' });
  }

  private listIntents(fields: Fields): StripeResponse {
    const [from, to] = [Number(fields['created[gte]']), Number(fields['created[lte]'])];
    const data = this.intents.filter(({ created }) => created >= from && created <= to);
    return ok({ object: 'list', data, has_more: false, url: '/v1/payment_intents' });
  }

  private createRefund(fields: Fields): StripeResponse {
    const intent = this.intents.find(({ id }) => id === fields.payment_intent);
    if (intent === undefined) return refuse({ code: 'resource_missing', message: 'No such payment_intent' }, 404);
    const statuses: Json = { pm_card_refundFail: 'failed', pm_processing: 'pending' };
    const status = statuses[intent.token as string] ?? 'succeeded';
    const refund = {
      id: `re_${this.refunds.length + 1}`,
      object: 'refund',
      amount: Number(fields.amount),
      payment_intent: intent.id,
      metadata: { refund_id: fields['metadata[refund_id]'], payment_id: fields['metadata[payment_id]'] },
      status,
      ...(status === 'failed' && { failure_reason: 'lost_or_stolen_card' }),
    };
    this.refunds.push(refund);
    return ok({ ...refund });
  }

  private listRefunds({ payment_intent: id }: Fields): StripeResponse {
    const data = this.refunds.filter((refund) => refund.payment_intent === id);
    for (const refund of data) if (refund.status === 'pending') refund.status = 'succeeded';
    return ok({ object: 'list', data, has_more: false, url: '/v1/refunds' });
  }
}

function toMethod(id: string) {
  return { id, object: 'payment_method', type: 'card', card: { brand: 'visa', last4: '4242' } };
}

function ok(body: object): StripeResponse {
  return { status: 200, body };
}

function refuse(error: Json, status: number): StripeResponse {
  return { status, body: { error: { type: 'invalid_request_error', ...error } } };
}

/** Stripe cancels no intent that it processes or has charged. */
function cancel(intent: Intent): StripeResponse {
  const code = 'payment_intent_unexpected_state';
  if (['processing', 'succeeded'].includes(intent.status)) return refuse({ code, message: 'It was charged.' }, 400);
  return ok(Object.assign(intent, { status: 'canceled' }));
}
