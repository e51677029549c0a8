import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { type CausedCommand, groupByCause } from '../../kernel/causation-tree.js';
import { Rejection } from '../../kernel/rejection.js';
import { boolean, describe, enumOf, integer, KIND, list, resource, type Schema, string } from '../../kernel/schema.js';
import { AuditIndex } from '../history/audit-index.js';
import { AuditReads } from '../history/audit-reads.js';
import { type AuditEventDocument, type AuditEventView, toAuditEventView } from '../projections/audit-events.js';

const MAX_EVENTS = 1_000;

interface CommandView {
  readonly command: string;
  readonly actor: AuditEventView['actor'];
  /** The request, the event or the command that caused this command. */
  readonly causation_id: string;
  readonly events: readonly (AuditEventView & { readonly commands: readonly CommandView[] })[];
  /** The commands that this command caused directly, without an event between them. */
  readonly commands: readonly CommandView[];
}

const commandSchema: Schema<CommandView> = {
  schema: {
    type: 'object',
    required: ['command', 'actor', 'causation_id', 'events', 'commands'],
    properties: {
      command: { type: 'string', description: 'The name of the command.', examples: ['CreateProduct'] },
      actor: {
        type: 'object',
        additionalProperties: true,
        description: 'The actor who sent the command.',
        examples: [{ type: 'api_key', id: 'key_01kg9p6je0grr0rycz01afc5br' }],
      },
      causation_id: {
        type: 'string',
        description: 'The id of the request, the event or the command that directly caused this command.',
        examples: ['req_01kg9p6je0grr0rycz01afc5br'],
      },
      events: {
        type: 'array',
        items: { type: 'object', additionalProperties: true },
        description: 'The audit events of the command; the `commands` of each are those that the event caused.',
      },
      commands: {
        type: 'array',
        items: { type: 'object', additionalProperties: true },
        description: 'The commands that this command caused directly, without an event between them.',
      },
    },
  },
};

export const correlationSchema = resource('AuditCorrelation', {
  id: describe(string, 'The id of the first request.', 'req_01kg9p6je0grr0rycz01afc5br'),
  object: describe(enumOf('audit_correlation'), KIND),
  event_count: describe(integer, 'The number of events in the tree.'),
  truncated: describe(boolean, 'Whether the request caused more events than the first 1,000, which the tree shows.'),
  commands: describe(list(commandSchema), 'The first commands of the request, each with everything that it caused.'),
});

interface Correlation {
  readonly id: string;
  readonly object: 'audit_correlation';
  readonly event_count: number;
  readonly truncated: boolean;
  readonly commands: readonly CommandView[];
}

/** Returns what a request caused in the caller's business. */
export class RetrieveCorrelation extends ContextQuery<{ id: string }, Correlation> {}

@QueryHandler(RetrieveCorrelation)
export class RetrieveCorrelationHandler implements IQueryHandler<RetrieveCorrelation> {
  constructor(
    private readonly index: AuditIndex,
    private readonly reads: AuditReads,
  ) {}

  async execute({ context, params: { id } }: RetrieveCorrelation): Promise<Correlation> {
    await this.index.readHead();
    const query = { where: { correlation_id: id }, ascending: true, limit: MAX_EVENTS };
    const { documents, next } = await this.index.findSlice(context, query);
    if (documents.length === 0) throw Rejection.notFound();
    await this.reads.record(context, { kind: 'correlation', target: id, filter: {} });
    return {
      id,
      object: 'audit_correlation',
      event_count: documents.length,
      truncated: next !== null,
      commands: groupByCause(documents, toCausedEvent).map(toCommand),
    };
  }
}

function toCausedEvent({ id, _commandId: commandId, causation_id: causationId }: AuditEventDocument) {
  return { id, commandId, causationId };
}

function toCommand({ events, commands }: CausedCommand<AuditEventDocument>): CommandView {
  const { command, actor, causation_id } = events[0]!.event;
  return {
    command,
    actor,
    causation_id,
    events: events.map(({ event, commands: caused }) => ({
      ...toShownEntry(event),
      commands: caused.map(toCommand),
    })),
    commands: commands.map(toCommand),
  };
}

/** The response removes only the hidden fields of the top level. */
function toShownEntry(document: AuditEventDocument): AuditEventView {
  const shown = Object.entries(toAuditEventView(document)).filter(([name]) => !name.startsWith('_'));
  return Object.fromEntries(shown) as unknown as AuditEventView;
}
