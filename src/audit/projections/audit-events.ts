import { actorSchema } from '../../kernel/actor-schema.js';
import { derive } from '../../kernel/declarations.js';
import type { Fact, Mode, RecordedEvent } from '../../kernel/event.js';
import { OWNER_INDEX } from '../../kernel/ownership.js';
import { changeForEach, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  integer,
  KIND,
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
  id: describe(uuid, 'The id of the recorded event.'),
  object: describe(enumOf('audit_event'), KIND),
  type: describe(string, 'The event as the service recorded it.', 'ProductCreated'),
  stream: describe(
    string,
    'The stream of the event: the events of one object in their order.',
    'product-prod_01kg9p6je0grr0rycz01afc5br',
  ),
  revision: describe(integer, 'The place of the event in its stream, from 0.', 0),
  position: describe(
    string,
    'The place of the event in the whole log. Positions compare as text: the greater one is the later event.',
    '0000000000001769',
  ),
  recorded_at: describe(dateTime, 'The time at which the service recorded the event.'),
  actor: describe(actorSchema, 'The actor who caused the event.'),
  business: describe(ref('business', 'biz'), 'The business that this object belongs to.'),
  mode: describe(enumOf('live', 'test'), 'Whether the event belongs to the live data or to the test data.'),
  resource: describe(
    object({
      object: describe(string, 'The kind of the resource.', 'product'),
      id: describe(string, 'The id of the resource.', 'prod_01kg9p6je0grr0rycz01afc5br'),
    }),
    'The smallest resource that the event is about.',
  ),
  correlation_id: describe(
    string,
    'The id of the first request; everything that this request caused has the same id.',
    'req_01kg9p6je0grr0rycz01afc5br',
  ),
  causation_id: describe(
    string,
    'The id of the request, the command or the event that directly caused this event.',
    'req_01kg9p6je0grr0rycz01afc5br',
  ),
  request_id: describe(
    nullable(string),
    'The `X-Request-Id` of the request; null for an event of a background process.',
    'req_01kg9p6je0grr0rycz01afc5br',
  ),
  command: describe(string, 'The command that recorded the event.', 'CreateProduct'),
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
