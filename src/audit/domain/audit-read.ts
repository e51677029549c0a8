import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';

export type AuditReadKind = 'events' | 'event' | 'resource' | 'resource_history' | 'correlation';

/* Stored names never change. */
export interface AuditRead {
  readonly readId: string;
  readonly kind: AuditReadKind;
  /** The id in the path; null for the list of events. */
  readonly target: string | null;
  /** The query parameters as sent, without the paging. */
  readonly filter: Readonly<Record<string, string | readonly string[]>>;
}

export type AuditReadEvent = Fact<'AuditHistoryRead', AuditRead>;

export interface RecordAuditRead {
  readonly type: 'RecordAuditRead';
  readonly read: AuditRead;
}

/** One read of the change history. Each has a stream of its own, so that reads never conflict. */
export const auditReadDecider: Decider<boolean, RecordAuditRead, AuditReadEvent> = {
  category: 'auditRead',
  versions: { AuditHistoryRead: 1 },
  initial: false,
  evolve: () => true,
  decide: ({ read }, isRecorded) => (isRecorded ? [] : [{ type: 'AuditHistoryRead', data: read }]),
};
