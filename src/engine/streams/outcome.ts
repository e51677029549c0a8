import type { Decider } from '../../kernel/decider.js';
import type { Fact, RecordedEvent } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import { type Projection, renderOrNull, requireDocument } from '../../kernel/projection.js';
import type { StreamCache } from './stream-cache.js';
import { findLastRevision, type StreamSnapshot } from './stream-snapshot.js';

export interface Outcome<S> {
  readonly state: S;
  /** Loads the stream's events up to the command's last one. */
  readonly loadHistory: () => Promise<readonly RecordedEvent[]>;
  /** Renders the document after the command: the answer to a write. */
  readonly render: <D extends object>(projection: Projection<D>, id: string) => Promise<D>;
  /** Events that this run recorded; empty for a silent decision and for a command that was recorded before. */
  readonly recorded: readonly RecordedEvent[];
  /** An earlier run has recorded the command. */
  readonly repeated: boolean;
  readonly position: Position;
}

interface CommandTarget<S, C, E extends Fact> {
  readonly decider: Decider<S, C, E>;
  readonly stream: string;
}

/** @param snapshot the stream after the command */
export function createOutcome<S>(
  cache: StreamCache,
  stream: string,
  snapshot: StreamSnapshot<S>,
  did: Pick<Outcome<S>, 'recorded' | 'repeated'>,
): Outcome<S> {
  const { state, position, revision, events } = snapshot;
  const loadDocument = <D extends object>(projection: Projection<D>, id: string) =>
    events === null ? cache.loadDocumentAt(projection, id, stream, revision) : renderOrNull(projection, id, events);
  return {
    state,
    position,
    loadHistory: () => cache.loadEvents(stream, snapshot),
    render: async (projection, id) => requireDocument(projection, id, await loadDocument(projection, id)),
    ...did,
  };
}

/** Returns the outcome at the time of the command; for an unbounded stream, the current one. */
export async function createRepeatedOutcome<S, C, E extends Fact>(
  cache: StreamCache,
  { decider, stream }: CommandTarget<S, C, E>,
  snapshot: StreamSnapshot<S>,
  lastRevision: number,
): Promise<Outcome<S>> {
  const snapshotThen = decider.unbounded ? snapshot : await cache.rewindTo(decider, stream, snapshot, lastRevision);
  return createOutcome(cache, stream, snapshotThen, { recorded: [], repeated: true });
}

/** Returns the outcome of a command that an earlier run has recorded, else null. */
export async function findRepeatedOutcome<S, C, E extends Fact>(
  cache: StreamCache,
  target: CommandTarget<S, C, E>,
  commandId: string,
): Promise<Outcome<S> | null> {
  const snapshot = await cache.load(target.decider, target.stream);
  const lastRevision = findLastRevision(snapshot, commandId);
  return lastRevision === undefined ? null : createRepeatedOutcome(cache, target, snapshot, lastRevision);
}
