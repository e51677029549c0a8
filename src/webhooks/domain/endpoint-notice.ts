import { DAY_MS } from '../../kernel/clock.js';
import type { RecordedOf } from '../../kernel/event.js';
import type { EventOf } from '../../kernel/projection.js';
import type { EndpointEvent } from './endpoint.js';
import type { EndpointWarning } from './endpoint-health.js';

/** Each endpoint causes at most one mail of each kind in this time. */
const NOTICE_INTERVAL_MS = DAY_MS;

/** The events that cause a notice. */
export type NoticedEvent = Extract<EndpointEvent, { type: 'EndpointWarned' | 'EndpointDisabled' }>;

/** The content of a mail about an endpoint. */
export interface EndpointNotice extends Pick<EndpointWarning, 'reason' | 'since' | 'failures'> {
  readonly kind: 'warning' | 'disabled';
  /** The time of the event. */
  readonly at: string;
}

interface Found {
  readonly eventId: string;
  readonly notice: EndpointNotice;
}

/**
 * Returns the notice of an event when its mail is due: it is the latest notice of the endpoint, nothing has ended it
 * since, it follows the one before of its kind by a day, and that one was not about the same failures.
 *
 * @param history all events of the endpoint
 */
export function findDueNotice(history: readonly RecordedOf<EndpointEvent>[], eventId: string): EndpointNotice | null {
  const last = new Map<EndpointNotice['kind'], EndpointNotice>();
  let latest: Found | null = null;
  for (const event of history) {
    if (endsNotice(event)) latest = null;
    const notice = toNotice(event);
    if (notice === null || isRepeated(notice, last.get(notice.kind))) continue;
    latest = { eventId: event.id, notice };
    last.set(notice.kind, notice);
  }
  return latest?.eventId === eventId ? latest.notice : null;
}

/** An endpoint that keeps failing is warned again by an event, but a person has read of it. */
function isRepeated(notice: EndpointNotice, before: EndpointNotice | undefined): boolean {
  if (before === undefined) return false;
  const isSameFailing = before.reason === notice.reason && before.since === notice.since;
  return isSameFailing || Date.parse(notice.at) - Date.parse(before.at) < NOTICE_INTERVAL_MS;
}

/** Returns null for an event without a notice: owners know the effects of their own requests. */
export function toNotice(event: RecordedOf<EndpointEvent>): EndpointNotice | null {
  const { at } = event.meta;
  if (event.type === 'EndpointWarned') {
    const { reason, since, failures } = event.data.warning;
    return { kind: 'warning', reason, since, failures, at };
  }
  return event.type === 'EndpointDisabled' ? toDisabling(event.data, at) : null;
}

function toDisabling(data: EventOf<EndpointEvent, 'EndpointDisabled'>['data'], at: string): EndpointNotice | null {
  if (data.reason === 'manual') return null;
  return { kind: 'disabled', reason: 'failing', since: data.since, failures: data.failures, at };
}

function endsNotice({ type }: EndpointEvent): boolean {
  return type === 'EndpointDisabled' || type === 'EndpointEnabled' || type === 'EndpointDeleted';
}
