import { derive } from '../../kernel/declarations.js';
import type { Fact, Mode, RecordedEvent } from '../../kernel/event.js';
import { OWNER_INDEX } from '../../kernel/ownership.js';
import { changeForEach, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  dateTime,
  type DocumentOf,
  enumOf,
  integer,
  nullable,
  object,
  ref,
  resource,
  type Schema,
  string,
} from '../../kernel/schema.js';
import { hashLeaf } from '../chain/hash-chain.js';
import { listAuditedTypes, nameResource } from '../domain/resource-namings.js';

const uuid: Schema<string> = {
  schema: {
    type: 'string',
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    examples: ['019ab1f0-7c7d-8a52-b2a3-0c1d2e3f4a5b'],
  },
};

export const auditEventFields = {
  id: uuid,
  object: enumOf('audit_event'),
  type: string,
  stream: string,
  revision: integer,
  position: string,
  recorded_at: dateTime,
  actor: object({ type: enumOf('api_key', 'user', 'cart', 'system'), id: string }),
  business: ref('business', 'biz'),
  mode: enumOf('live', 'test'),
  resource: object({ object: string, id: string }),
  correlation_id: string,
  causation_id: string,
  request_id: nullable(string),
  command: string,
};

export const auditEventSchema = resource('AuditEvent', auditEventFields);

/** An entry of the change history, as the API shows it. */
export type AuditEventView = DocumentOf<typeof auditEventSchema>;

/** The stored form of an entry. */
export interface AuditEventDocument extends Omit<AuditEventView, 'object' | 'business' | 'mode'> {
  readonly _business: string;
  readonly _mode: Mode;
  readonly _commandId: string;
  /** The leaf of the event in the hash chain. */
  readonly _leaf: string;
}

/** The change history is read seldom, and each of its events changes many pages of indexes. */
export const COLLECT_MS = 100;

const deriveChanges = derive(() =>
  changeForEach(listAuditedTypes(), (_: AuditEventDocument | null, event) => toDocument(event)),
);

/** One entry for each event of a business: where the event is in the log, and what it is about, but not its data. */
export const auditEvents: Projection<AuditEventDocument, Fact> = {
  name: 'auditEvents',
  version: 2,
  insertOnly: true,
  collectMs: COLLECT_MS,
  id: ({ id, meta }) => (meta.business === null ? null : id),
  indexes: [
    [...OWNER_INDEX, 'position'],
    [...OWNER_INDEX, 'resource.id', 'position'],
    [...OWNER_INDEX, 'actor.id', 'position'],
    [...OWNER_INDEX, 'type', 'position'],
    [...OWNER_INDEX, 'correlation_id', 'position'],
  ],
  get on() {
    return deriveChanges();
  },
};

function toDocument(event: RecordedEvent): AuditEventDocument {
  const { id, type, stream, revision, position, meta } = event;
  return {
    id,
    type,
    stream,
    revision,
    position,
    recorded_at: meta.at,
    actor: meta.actor,
    resource: nameResource(event),
    correlation_id: meta.correlationId,
    causation_id: meta.causationId,
    request_id: meta.requestId,
    command: meta.command,
    _business: meta.business!,
    _mode: meta.mode,
    _commandId: meta.commandId,
    _leaf: hashLeaf(event),
  };
}

export function toAuditEventView(document: AuditEventDocument): AuditEventView {
  const { _business, _mode } = document;
  return { object: 'audit_event', ...document, business: toReference('business', _business), mode: _mode };
}
