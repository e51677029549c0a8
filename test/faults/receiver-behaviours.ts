import type { RecordedEvent, RecordedOf } from '../../src/kernel/event.js';
import type { DeliveryChainEvent } from '../../src/webhooks/domain/delivery-chain/facts.js';
import type { ReceivedRequest } from '../support/receiver.js';
import {
  drip,
  hang,
  type ReceiverResponse,
  redirect,
  reset,
  respondWith,
  sendGzipBomb,
  sendLargeBody,
} from '../support/receiver-responses.js';
import type { WebhookEnvelope } from '../support/verify-webhook.js';

/** The behaviour of a receiver: its subscription, its response, and the expected record of the attempt. */
export interface ReceiverBehaviour {
  readonly path: string;
  readonly eventType: string;
  readonly answer: ReceiverResponse;
  readonly expectedRecords: readonly string[];
  /** The load disables and enables this endpoint again. */
  readonly isToggled?: true;
  /** The receiver lets every attempt time out until the load ends; then it responds with 200. */
  readonly isSlow?: true;
}

const FOLLOWED = '/followed';
const FAILURES_FIRST = 3;
const TIMEOUT = 'null timeout';
const OK = respondWith(200);

export const RECEIVER_BEHAVIOURS: readonly ReceiverBehaviour[] = [
  { path: '/all', eventType: '*', answer: OK, expectedRecords: ['200'] },
  { path: '/orders', eventType: 'cart.order.completed', answer: OK, expectedRecords: ['200'], isToggled: true },
  { path: '/refusing', eventType: 'product.approved', answer: respondWith(400), expectedRecords: ['400 client_error'] },
  { path: '/gone', eventType: 'product.approved', answer: respondWith(410), expectedRecords: ['410 client_error'] },
  {
    path: '/throttling',
    eventType: 'product.denied',
    answer: respondWith(429, { 'retry-after': '1' }),
    expectedRecords: ['429 client_error'],
  },
  {
    path: '/failing',
    eventType: 'community.post.created',
    answer: respondWith(500),
    expectedRecords: ['500 server_error'],
    isToggled: true,
  },
  { path: '/recovering', eventType: 'invoice.paid', answer: failFirst(), expectedRecords: ['500 server_error', '200'] },
  { path: '/redirecting', eventType: 'product.denied', answer: redirect(FOLLOWED), expectedRecords: ['302 redirect'] },
  {
    path: '/breaking',
    eventType: 'community.points.awarded',
    answer: reset(),
    expectedRecords: ['null connection_reset'],
    isToggled: true,
  },
  {
    path: '/silent',
    eventType: 'subscription.created',
    answer: hang(),
    expectedRecords: [TIMEOUT, '200'],
    isSlow: true,
  },
  {
    path: '/dripping',
    eventType: 'payment.sale.failed',
    answer: drip(50),
    expectedRecords: [TIMEOUT, '200'],
    isSlow: true,
  },
  { path: '/huge', eventType: 'payment.sale.failed', answer: sendLargeBody(), expectedRecords: ['200'] },
  { path: '/bombing', eventType: 'product.denied', answer: sendGzipBomb(), expectedRecords: ['200'] },
];

type OfChain = RecordedOf<DeliveryChainEvent>;
type Answered = Extract<OfChain, { type: 'AttemptSucceeded' | 'AttemptFailed' }>;

/** Finds attempts whose record differs from the receiver's response, and requests that followed a redirect. */
export function findMisrecordedResponses(
  requests: readonly ReceivedRequest[],
  log: readonly RecordedEvent[],
): string[] {
  const answered = new Map((log as OfChain[]).filter(isAnswered).map((end) => [end.data.deliveryId, describeEnd(end)]));
  return requests.flatMap(({ path, method, body }) => {
    if (path === FOLLOWED) return [`a redirect was followed with ${method}`];
    const end = answered.get((JSON.parse(body) as WebhookEnvelope).delivery_id);
    const behaviour = RECEIVER_BEHAVIOURS.find((known) => known.path === path);
    return end === undefined || behaviour === undefined || isExpected(end, behaviour)
      ? []
      : [`an attempt at ${path} is recorded as ${end}`];
  });
}

/** Whether the record fits the behaviour. On a busy machine any response may time out. */
function isExpected(end: string, { expectedRecords }: ReceiverBehaviour): boolean {
  return end === TIMEOUT || expectedRecords.includes(end);
}

function describeEnd({ type, data }: Answered): string {
  return type === 'AttemptSucceeded' ? String(data.responseStatus) : `${data.responseStatus} ${data.reason}`;
}

function isAnswered(event: OfChain): event is Answered {
  return event.type === 'AttemptSucceeded' || event.type === 'AttemptFailed';
}

/** Returns a response that fails the first attempts of a delivery chain and then succeeds. */
function failFirst(): ReceiverResponse {
  return (request, response) => {
    const isLast = Number(request.headers['x-service-attempt']) % (FAILURES_FIRST + 1) === 0;
    response.writeHead(isLast ? 200 : 500).end();
  };
}
