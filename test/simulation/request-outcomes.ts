import type { RecordedEvent } from '../../src/kernel/event.js';
import { isOfCategory, SHARED_CATEGORIES } from './client-commands.js';
import type { SentRequest } from './clients.js';
import { TOTAL_STREAM } from './jars.js';

/**
 * I1: finds a request whose events contradict its responses: acknowledged events must be in the log once, rejected ones
 * never, others at most once.
 */
export function findMisrecordedEvents(
  { label, command, commandId, outcomes }: SentRequest,
  log: readonly RecordedEvent[],
): string[] {
  const ownEvents = log.filter(
    ({ stream, meta }) => meta.requestId === label && isOfCategory(command, stream) && stream !== TOTAL_STREAM,
  );
  const times = ownEvents.filter(
    ({ meta }) => !SHARED_CATEGORIES.includes(command.category) || meta.commandId === commandId,
  ).length;
  const { least, most } = command.events;
  const isExpectedCount = times >= least && times <= most;
  const isRight = outcomes.includes('done')
    ? isExpectedCount
    : times === 0 || (isExpectedCount && outcomes.some((one) => one !== 'refused'));
  return isRight
    ? []
    : [`${label} ${command.name}, with responses ${outcomes.join(', ')}, is in the log ${times} times`];
}
