import type { RecordedEvent } from '../../../src/kernel/event.js';
import { findUnjustifiedRejections, type RejectedRequest } from './rejections.js';
import { createLog } from './sample-log.js';

const AT = Date.parse('2026-02-01T09:00:00.000Z');
const HOUR_S = 3_600;
/** Longer than an append can take. */
const LATER_S = 10;
const CARTS = '/v1/commerce/carts';
const ENDPOINTS = '/v1/webhooks/endpoints';
const REPLAY = '/v1/webhooks/deliveries/whd_1/replay';
const JOBS = '/v1/webhooks/replay-jobs';
const EXPIRES = { at: toTime(0), expiresAt: toTime(2 * HOUR_S) };

type Step = readonly [second: number, stream: string, type: string, data?: object];

const cartMade: Step = [0, 'cart-cart_1', 'CartCreated', { cartId: 'cart_1', ...EXPIRES }];
const cartSold: Step = [LATER_S, 'cart-cart_1', 'CartCheckedOut', { cartId: 'cart_1', orderId: 'order_1' }];
const endpointMade: Step = [0, 'endpoint-whs_1', 'EndpointCreated', { endpointId: 'whs_1' }];
const disabled: Step = [LATER_S, 'endpoint-whs_1', 'EndpointDisabled', { endpointId: 'whs_1' }];
const enabled: Step = [2 * LATER_S, 'endpoint-whs_1', 'EndpointEnabled', { endpointId: 'whs_1' }];
const deleted: Step = [LATER_S, 'endpoint-whs_1', 'EndpointDeleted', { endpointId: 'whs_1' }];
const planned: Step = [
  0,
  'deliveryChain-c1',
  'DeliveryChainPlanned',
  { chainId: 'c1', endpointId: 'whs_1', maxAttempts: 2 },
];
const started: Step = [LATER_S, 'deliveryChain-c1', 'AttemptStarted', createAttempt(1, 'automatic')];
const failed: Step = [
  2 * LATER_S,
  'deliveryChain-c1',
  'AttemptFailed',
  { ...createAttempt(1, 'automatic'), nextAttemptAt: null },
];
const lastStarted: Step = [3 * LATER_S, 'deliveryChain-c1', 'AttemptStarted', createAttempt(2, 'replay')];
const held: Step = [3 * LATER_S, 'deliveryChain-c1', 'DeliveryChainHeld', { chainId: 'c1', replayJobId: 'whj_1' }];
const released: Step = [
  4 * LATER_S,
  'deliveryChain-c1',
  'DeliveryChainReleased',
  { chainId: 'c1', replayJobId: 'whj_1' },
];
const placed: Step = [0, 'replayLock-biz_1-test', 'ReplayLockAcquired', { replayJobId: 'whj_1', endpointId: null }];
const requested: Step = [LATER_S, 'replayJob-whj_1', 'ReplayJobRequested', { replayJobId: 'whj_1' }];
const completed: Step = [2 * LATER_S, 'replayJob-whj_1', 'ReplayJobCompleted', { replayJobId: 'whj_1' }];

/** The recorded events, and the rejected request with its code and time. */
type Case = readonly [title: string, steps: readonly Step[], path: string, code: string, second: number];

describe('The check that the log justifies a rejection', () => {
  it.each<Case>([
    ['a cart that is checked out', [cartMade, cartSold], `${CARTS}/cart_1/lines`, 'cart_not_open', HOUR_S],
    ['a cart that has expired', [cartMade], `${CARTS}/cart_1/lines`, 'cart_not_open', 3 * HOUR_S],
    ['an endpoint that is deleted', [endpointMade, deleted], `${ENDPOINTS}/whs_1`, 'not_found', HOUR_S],
    ['an endpoint that is disabled', [endpointMade, disabled], `${ENDPOINTS}/whs_1/test`, 'endpoint_disabled', HOUR_S],
    [
      'an endpoint that was enabled during the request',
      [endpointMade, disabled, enabled],
      `${ENDPOINTS}/whs_1/test`,
      'endpoint_disabled',
      24,
    ],
    [
      'a delivery to an endpoint that is disabled',
      [endpointMade, planned, started, disabled],
      REPLAY,
      'endpoint_disabled',
      HOUR_S,
    ],
    ['a delivery in progress', [planned, started], REPLAY, 'delivery_in_progress', HOUR_S],
    [
      'a delivery whose attempt ended during the request',
      [planned, started, failed],
      REPLAY,
      'delivery_in_progress',
      24,
    ],
    ['a delivery that a job holds', [planned, started, failed, held], REPLAY, 'delivery_replayed_by_job', HOUR_S],
    ['a delivery without attempts left', [planned, started, failed, lastStarted], REPLAY, 'attempts_exhausted', HOUR_S],
    ['an open replay job', [placed, requested], JOBS, 'replay_job_conflict', HOUR_S],
    ['a replay job that has only its lock', [placed], JOBS, 'replay_job_conflict', HOUR_S],
    ['a replay job that has ended', [requested, completed], `${JOBS}/whj_1/cancel`, 'replay_job_finished', HOUR_S],
    ['another change at the same time', [cartMade], `${CARTS}/cart_1/lines`, 'concurrent_update', 0],
    ['a first request that is still running', [], '/v1/commerce/products', 'idempotency_key_in_progress', 0],
  ])('accepts a rejection for %s', (_, steps, path, code, second) => {
    expect(findUnjustifiedRejections([createRejection(path, code, second)], createTimedLog(steps))).toEqual([]);
  });

  it.each<Case>([
    ['a cart that is unknown', [], `${CARTS}/cart_2/lines`, 'cart_not_open', 0],
    ['a cart that was checked out later', [cartMade, cartSold], `${CARTS}/cart_1/lines`, 'cart_not_open', 1],
    ['a resource that was never deleted', [cartMade], `${CARTS}/cart_1/lines`, 'not_found', 0],
    [
      'an endpoint that was enabled again',
      [endpointMade, disabled, enabled],
      `${ENDPOINTS}/whs_1/test`,
      'endpoint_disabled',
      HOUR_S,
    ],
    ['a delivery whose attempt has ended', [planned, started, failed], REPLAY, 'delivery_in_progress', HOUR_S],
    ['a delivery that was never held', [planned, started], REPLAY, 'delivery_replayed_by_job', HOUR_S],
    [
      'a delivery that was released',
      [planned, started, failed, held, released],
      REPLAY,
      'delivery_replayed_by_job',
      HOUR_S,
    ],
    ['a delivery with attempts left', [planned, started, failed], REPLAY, 'attempts_exhausted', HOUR_S],
    ['a replay job that ended before', [placed, requested, completed], JOBS, 'replay_job_conflict', HOUR_S],
    ['a replay job that is open', [requested], `${JOBS}/whj_1/cancel`, 'replay_job_finished', HOUR_S],
    ['a concurrent change of a new resource', [cartMade], '/v1/commerce/products', 'concurrent_update', 0],
    ['a concurrent change that is not in the log', [cartMade], `${CARTS}/cart_1/lines`, 'concurrent_update', HOUR_S],
    ['an unknown code', [cartMade], `${CARTS}/cart_1`, 'out_of_luck', 0],
  ])('finds a rejection for %s', (_, steps, path, code, second) => {
    expect(findUnjustifiedRejections([createRejection(path, code, second)], createTimedLog(steps))).toHaveLength(1);
  });
});

function toTime(second: number): string {
  return new Date(AT + second * 1_000).toISOString();
}

function createAttempt(number: number, kind: 'automatic' | 'replay'): object {
  return { chainId: 'c1', deliveryId: `whd_${number}`, attempt: number, kind };
}

function createTimedLog(steps: readonly Step[]): RecordedEvent[] {
  const log = createLog(...steps.map(([, stream, type, data = {}]) => [stream, { type, data }] as const));
  return log.map((event, i) => ({ ...event, meta: { ...event.meta, at: toTime(steps[i]![0]) } }));
}

function createRejection(path: string, code: string, second: number): RejectedRequest {
  const at = AT + second * 1_000;
  return { method: 'POST', path, status: 422, code, requestedAt: at, respondedAt: at };
}
