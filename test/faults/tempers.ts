import type { Recorded, RecordedOf } from '../../src/kernel/event.js';
import type { ChainEvent } from '../../src/webhooks/domain/chain.js';
import { drip, gzipBomb, hang, huge, redirect, reset, status, type Answer } from '../support/answers.js';
import type { Received } from '../support/receiver.js';
import type { Envelope } from '../support/verified.js';

/** The behaviour of a receiver: its subscription, its response, and the expected record of the attempt. */
export interface Temper {
  readonly path: string;
  readonly wants: string;
  readonly answer: Answer;
  readonly recorded: readonly string[];
  /** The load disables and enables this endpoint again. */
  readonly isMoody?: true;
  /** The receiver lets every attempt time out until the load ends; then it responds with 200. */
  readonly isSlow?: true;
}

const FOLLOWED = '/followed';
const FAILURES_FIRST = 3;
const TIMEOUT = 'null timeout';
const OK = status(200);

export const TEMPERS: readonly Temper[] = [
  { path: '/all', wants: '*', answer: OK, recorded: ['200'] },
  { path: '/orders', wants: 'cart.order.completed', answer: OK, recorded: ['200'], isMoody: true },
  { path: '/refusing', wants: 'product.approved', answer: status(400), recorded: ['400 client_error'] },
  { path: '/gone', wants: 'product.approved', answer: status(410), recorded: ['410 client_error'] },
  { path: '/throttling', wants: 'product.denied', answer: status(429, { 'retry-after': '1' }), recorded: ['429 client_error'] },
  { path: '/failing', wants: 'community.post.created', answer: status(500), recorded: ['500 server_error'], isMoody: true },
  { path: '/recovering', wants: 'invoice.paid', answer: failingFirst(), recorded: ['500 server_error', '200'] },
  { path: '/redirecting', wants: 'product.denied', answer: redirect(FOLLOWED), recorded: ['302 redirect'] },
  { path: '/breaking', wants: 'community.points.awarded', answer: reset(), recorded: ['null connection_reset'], isMoody: true },
  { path: '/silent', wants: 'subscription.created', answer: hang(), recorded: [TIMEOUT, '200'], isSlow: true },
  { path: '/dripping', wants: 'payment.sale.failed', answer: drip(50), recorded: [TIMEOUT, '200'], isSlow: true },
  { path: '/huge', wants: 'payment.sale.failed', answer: huge(), recorded: ['200'] },
  { path: '/bombing', wants: 'product.denied', answer: gzipBomb(), recorded: ['200'] },
];

type OfChain = RecordedOf<ChainEvent>;
type Answered = Extract<OfChain, { type: 'AttemptSucceeded' | 'AttemptFailed' }>;

/** Finds attempts whose record differs from the receiver's response, and requests that followed a redirect. */
export function misjudgedAnswers(requests: readonly Received[], log: readonly Recorded[]): string[] {
  const answered = new Map((log as OfChain[]).filter(isAnswered).map((end) => [end.data.deliveryId, endOf(end)]));
  return requests.flatMap(({ path, method, body }) => {
    if (path === FOLLOWED) return [`a redirect was followed with ${method}`];
    const end = answered.get((JSON.parse(body) as Envelope).delivery_id);
    const temper = TEMPERS.find((known) => known.path === path);
    return end === undefined || temper === undefined || mayBe(end, temper) ? [] : [`an attempt at ${path} is recorded as ${end}`];
  });
}

/** Whether the record fits the behaviour. On a busy machine any response may time out. */
function mayBe(end: string, { recorded }: Temper): boolean {
  return end === TIMEOUT || recorded.includes(end);
}

function endOf({ type, data }: Answered): string {
  return type === 'AttemptSucceeded' ? String(data.responseStatus) : `${data.responseStatus} ${data.reason}`;
}

function isAnswered(event: OfChain): event is Answered {
  return event.type === 'AttemptSucceeded' || event.type === 'AttemptFailed';
}

/** Returns a response that fails the first attempts of a delivery chain and then succeeds. */
function failingFirst(): Answer {
  return (request, response) => {
    const isLast = Number(request.headers['x-service-attempt']) % (FAILURES_FIRST + 1) === 0;
    response.writeHead(isLast ? 200 : 500).end();
  };
}
