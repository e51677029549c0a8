import type { Sample } from '../deliveries/sample.ts';
import type { BeginMessenger } from '../trials/isolation.ts';
import { BullMq } from './peer.ts';

/**
 * A high number, because each delivery to a silent receiver occupies a slot for its whole timeout, also at each retry.
 */
export const SLOTS = 500;

/** Creates a publisher with one queue for all endpoints. */
export function bullMqMessenger(sample: Sample): BeginMessenger {
  return async (urls) => {
    const peer = await BullMq.start({ flush: 'always', concurrency: SLOTS });
    return { tell: (endpoint) => peer.tell(urls[endpoint]!, sample), end: () => peer.end() };
  };
}
