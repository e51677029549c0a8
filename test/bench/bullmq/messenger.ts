import type { Sample } from '../deliveries/sample.ts';
import type { BeginMessenger } from '../trials/isolation.ts';
import { BullMq } from './peer.ts';

/** Many: each silent delivery takes one up for its whole timeout, and again when it is tried again. */
export const SLOTS = 500;

/** One queue for all endpoints. */
export function bullMqMessenger(sample: Sample): BeginMessenger {
  return async (urls) => {
    const peer = await BullMq.start({ flush: 'always', concurrency: SLOTS });
    return { tell: (endpoint) => peer.tell(urls[endpoint]!, sample), end: () => peer.end() };
  };
}
