import { type Decider, evolve } from '../../kernel/decider.js';
import type { Fact, RecordedEvent } from '../../kernel/event.js';
import { type Position, START } from '../../kernel/position.js';
import type { StoredBaseline } from './baselines.js';
import { estimateCharacters } from './weight.js';

/** Limit for events in memory. Longer streams keep only their state; their history is read again on request. */
const MAX_EVENTS = 200;
const MAX_CHARACTERS = 250_000;
/** Estimated size of an event without its data. */
const EVENT_CHARACTERS = 1_000;
const COMMAND_CHARACTERS = 100;
/** How many commands the state of a long stream remembers, and after how many events a new baseline is stored. */
const LONG = { maxCommands: 1_000, baselineEvents: 200 };
/**
 * The shared streams of all businesses, such as their balances, may not fit into the cache. So they are kept small, and
 * few events follow a baseline.
 */
const UNBOUNDED = { maxCommands: 100, baselineEvents: 50 };

type HasLimits = Pick<Decider<never, never, Fact>, 'unbounded'>;

/** The size of a state is estimated again after so many events, as a part of the stream, and at each baseline. */
const WEIGHED_GROWTH = 1 / 8;

const NEVER_KEPT = { weighedRevision: -1, baselineRevision: -1, commands: null } as const;

/**
 * The state of a stream at a revision. It is never trusted beyond that revision: every load reads the later events.
 */
export interface StreamSnapshot<S> {
  readonly revision: number;
  readonly position: Position;
  readonly eventId: string | null;
  readonly state: S;
  /** All events up to the revision; null when there are too many to keep, and for an unbounded stream. */
  readonly events: readonly RecordedEvent[] | null;
  /** Estimated cache size: of the events as JSON, or of the state and the commands. */
  readonly characters: number;
  /** Revision at which the size of the state was last estimated. */
  readonly weighedRevision: number;
  /** Revision at which the state was last stored as a baseline. */
  readonly baselineRevision: number;
  /**
   * Last revision of each command, when the events are not kept. All snapshots of a stream share one map, so it may be
   * ahead of this snapshot.
   */
  readonly commands: Map<string, number> | null;
  /** Whether this process has written later events: they must be read before a decision. */
  readonly stale?: true;
}

export function emptySnapshot<S, C, E extends Fact>(decider: Decider<S, C, E>): StreamSnapshot<S> {
  const empty = { revision: -1, position: START, eventId: null, ...NEVER_KEPT };
  return { ...empty, state: decider.initial, events: decider.unbounded ? null : [], characters: 0 };
}

/** @throws NewerEvent */
export function applyEvents<S, C, E extends Fact>(
  decider: Decider<S, C, E>,
  snapshot: StreamSnapshot<S>,
  events: readonly RecordedEvent[],
): StreamSnapshot<S> {
  const { revision, position, id: eventId } = events.at(-1)!;
  const state = events.reduce((before, event) => evolve(decider, before, event), snapshot.state);
  const now = { revision, position, eventId, state };
  if (snapshot.events === null) return { ...now, ...keepState(decider, snapshot, state, events) };

  const characters = snapshot.characters + countCharacters(events);
  const all = [...snapshot.events, ...events];
  const canKeepEvents = revision < MAX_EVENTS && characters < MAX_CHARACTERS;
  if (canKeepEvents) return { ...now, ...NEVER_KEPT, events: all, characters };
  return { ...now, ...keepState(decider, snapshot, state, all), baselineRevision: revision };
}

function keepState(
  decider: HasLimits,
  { commands: known, characters, weighedRevision, baselineRevision }: StreamSnapshot<unknown>,
  state: unknown,
  events: readonly RecordedEvent[],
) {
  const { revision } = events.at(-1)!;
  const { maxCommands, baselineEvents } = getLimits(decider);
  const commands = recordCommands(known ?? new Map<string, number>(), events, maxCommands);
  const isBaseline = revision - baselineRevision >= baselineEvents;
  const isWeighed = isBaseline || revision - weighedRevision > revision * WEIGHED_GROWTH;
  return {
    events: null,
    commands,
    characters: isWeighed ? estimateCharacters(state) + commands.size * COMMAND_CHARACTERS : characters,
    weighedRevision: isWeighed ? revision : weighedRevision,
    baselineRevision: isBaseline ? revision : baselineRevision,
  };
}

/** Returns whether a baseline must be stored after the new events. */
export function isBaselineDue(
  decider: HasLimits,
  { events, baselineRevision, revision }: StreamSnapshot<unknown>,
  before: StreamSnapshot<unknown>,
): boolean {
  const { baselineEvents } = getLimits(decider);
  return events === null && (baselineRevision === revision || revision - before.revision >= baselineEvents);
}

function getLimits({ unbounded }: HasLimits) {
  return unbounded ? UNBOUNDED : LONG;
}

export function packBaseline<S, C, E extends Fact>(
  { baseline }: Decider<S, C, E>,
  { state, commands, revision }: StreamSnapshot<S>,
): object {
  return { state: baseline!.pack(state), commands: [...commands!].filter(([, last]) => last <= revision) };
}

export function unpackBaseline<S, C, E extends Fact>(
  { baseline }: Decider<S, C, E>,
  { value, ...kept }: StoredBaseline,
): StreamSnapshot<S> {
  const { state: packedState, commands } = value as {
    readonly state: object;
    readonly commands: readonly [string, number][];
  };
  const state = baseline!.unpack(packedState);
  const characters = estimateCharacters(state) + commands.length * COMMAND_CHARACTERS;
  const { revision } = kept;
  const revisions = { weighedRevision: revision, baselineRevision: revision };
  return { ...kept, ...revisions, state, events: null, characters, commands: new Map(commands) };
}

/** Returns the last known revision that the command recorded; undefined when none is known. */
export function findLastRevision(
  { events, commands, revision }: StreamSnapshot<unknown>,
  commandId: string,
): number | undefined {
  if (events !== null) return events.findLast(({ meta }) => meta.commandId === commandId)?.revision;
  const last = commands?.get(commandId);
  return last !== undefined && last <= revision ? last : undefined;
}

/** Estimates the size of the events; stops at the limit. */
function countCharacters(events: readonly RecordedEvent[]): number {
  let sum = 0;
  for (const { data } of events) {
    if (sum >= MAX_CHARACTERS) break;
    sum += EVENT_CHARACTERS + JSON.stringify(data).length;
  }
  return sum;
}

/** Adds the commands, the newest last, and removes the oldest ones. */
function recordCommands(
  commands: Map<string, number>,
  events: readonly RecordedEvent[],
  max: number,
): Map<string, number> {
  for (const { meta, revision } of events) {
    // A failed read may have added the command before.
    commands.delete(meta.commandId);
    commands.set(meta.commandId, revision);
  }
  for (const oldest of commands.keys()) {
    if (commands.size <= max) break;
    commands.delete(oldest);
  }
  return commands;
}
