import { deliveryChainDecider } from './delivery-chain/delivery-chain.js';
import { endpointDecider } from './endpoint.js';
import { endpointQuotaDecider } from './endpoint-quota.js';
import { publicEventDecider } from './public-event.js';
import { replayBatchDecider } from './replay-batch.js';
import { replayJobDecider } from './replay-job.js';
import { replayLockDecider } from './replay-lock.js';
import { testEventLimitDecider } from './test-event-limit.js';

/** All deciders of the area. */
export const webhooksDeciders = [
  deliveryChainDecider,
  endpointQuotaDecider,
  endpointDecider,
  publicEventDecider,
  replayJobDecider,
  replayBatchDecider,
  replayLockDecider,
  testEventLimitDecider,
] as const;
