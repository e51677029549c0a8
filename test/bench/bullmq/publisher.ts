import type { Sample } from '../deliveries/sample.ts';
import type { StartPublisher } from '../trials/isolation.ts';
import { BullMq } from './bullmq.ts';

/**
 * A high number, because each delivery to a silent receiver occupies a slot for its whole timeout, also at each retry.
 */
export const SLOTS = 500;

/** Creates a publisher with one queue for all endpoints. */
export function createBullMqPublisher(sample: Sample): StartPublisher {
  return async (urls) => {
    const peer = await BullMq.start({ flush: 'always', concurrency: SLOTS });
    return { publish: (endpoint) => peer.publish(urls[endpoint]!, sample), stop: () => peer.stop() };
  };
}
