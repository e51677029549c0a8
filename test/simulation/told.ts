import type { Recorded } from '../../src/kernel/event.js';
import type { Sent } from './clients.js';
import { TOTAL_STREAM } from './jars.js';
import { isOf, SHARED_CATEGORIES } from './wishes.js';

/**
 * I1: finds a request whose events contradict its responses: acknowledged events must be in the log once, rejected ones
 * never, others at most once.
 */
export function misrecorded({ label, wish, commandId, told }: Sent, log: readonly Recorded[]): string[] {
  const own = log.filter(({ stream, meta }) => meta.requestId === label && isOf(wish, stream) && stream !== TOTAL_STREAM);
  const times = own.filter(({ meta }) => !SHARED_CATEGORIES.includes(wish.category) || meta.commandId === commandId).length;
  const { least, most } = wish.events;
  const isAsTold = times >= least && times <= most;
  const isRight = told.includes('done') ? isAsTold : times === 0 || (isAsTold && told.some((one) => one !== 'refused'));
  return isRight ? [] : [`${label} ${wish.name}, with responses ${told.join(', ')}, is in the log ${times} times`];
}
