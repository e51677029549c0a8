import type { RecordedEvent } from '../../../kernel/event.js';
import { type DeliveryResult, toDeliveryResult } from './delivery-result.js';

export interface CommandNode {
  readonly id: string;
  readonly command: string;
  readonly actor: RecordedEvent['meta']['actor'];
  /** The request, the event or the command that caused this command. */
  readonly causation_id: string;
  readonly events: readonly EventNode[];
  /** The commands that this command caused directly, without an event between them. */
  readonly commands: readonly CommandNode[];
}

export interface EventNode {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly recorded_at: string;
  /** The attempt that this event ends; null for any other event. */
  readonly delivery: DeliveryResult | null;
  /** The commands that this event caused. */
  readonly commands: readonly CommandNode[];
}

/** Returns the commands of one correlation that none of its own events caused, each with everything that followed. */
export function buildCausationTree(events: readonly RecordedEvent[]): CommandNode[] {
  const byCommand = [...Map.groupBy(events, ({ meta }) => meta.commandId).values()];
  const causes = new Set(events.flatMap(({ id, meta }) => [id, meta.commandId]));
  const isRoot = (command: readonly RecordedEvent[]) => {
    const { causationId, commandId } = command[0]!.meta;
    return causationId === commandId || !causes.has(causationId);
  };
  const [roots, caused] = [byCommand.filter(isRoot), byCommand.filter((command) => !isRoot(command))];
  const byCause = Map.groupBy(caused, ([first]) => first!.meta.causationId);
  return roots.map((command) => toCommandNode(command, byCause));
}

type CommandsByCause = ReadonlyMap<string, readonly (readonly RecordedEvent[])[]>;

function toCommandNode(events: readonly RecordedEvent[], byCause: CommandsByCause): CommandNode {
  const { commandId: id, command, actor, causationId } = events[0]!.meta;
  return {
    id,
    command,
    actor,
    causation_id: causationId,
    events: events.map((event) => toEventNode(event, byCause)),
    commands: listCaused(id, byCause),
  };
}

function toEventNode(event: RecordedEvent, byCause: CommandsByCause): EventNode {
  const { id, type, stream, revision, position, meta } = event;
  const place = { stream, revision, position, recorded_at: meta.at };
  return { id, type, ...place, delivery: toDeliveryResult(event), commands: listCaused(id, byCause) };
}

function listCaused(cause: string, byCause: CommandsByCause): CommandNode[] {
  return (byCause.get(cause) ?? []).map((command) => toCommandNode(command, byCause));
}
