import { deliveryChain } from './delivery-chain/delivery-chain.js';
import { endpoint } from './endpoint.js';
import { endpointQuota } from './endpoint-quota.js';
import { publicEvent } from './public-event.js';
import { replayBatch } from './replay-batch.js';
import { replayJob } from './replay-job.js';
import { replayLock } from './replay-lock.js';
import { testEventLimit } from './test-event-limit.js';

/** All deciders of the area. */
export const webhooksDeciders = [
  deliveryChain,
  endpointQuota,
  endpoint,
  publicEvent,
  replayJob,
  replayBatch,
  replayLock,
  testEventLimit,
] as const;
