import { type CausedCommand, groupByCause } from '../../../kernel/causation-tree.js';
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
  const describe = ({ id, meta: { commandId, causationId } }: RecordedEvent) => ({ id, commandId, causationId });
  return groupByCause(events, describe).map(toCommandNode);
}

function toCommandNode({ events, commands }: CausedCommand<RecordedEvent>): CommandNode {
  const { commandId: id, command, actor, causationId } = events[0]!.event.meta;
  return {
    id,
    command,
    actor,
    causation_id: causationId,
    events: events.map(toEventNode),
    commands: commands.map(toCommandNode),
  };
}

function toEventNode({ event, commands }: CausedCommand<RecordedEvent>['events'][number]): EventNode {
  const { id, type, stream, revision, position, meta } = event;
  const place = { stream, revision, position, recorded_at: meta.at };
  return { id, type, ...place, delivery: toDeliveryResult(event), commands: commands.map(toCommandNode) };
}
