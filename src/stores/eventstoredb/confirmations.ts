import type { Clock } from '../../kernel/clock.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { newUuid } from '../../kernel/ids.js';
import type { Position } from '../../kernel/position.js';
import type { AppendAnswer } from './appending.js';
import { Barrier } from './barrier.js';
import type { Connection } from './connection.js';
import { BARRIER_STREAMS, type Proposed } from './events.js';
import { positionOf } from './positions.js';

const EMPTY = Buffer.from('{}');
/** The server keeps only the last barrier, for one day: it can scavenge the others. */
const STREAM_METADATA = Buffer.from(JSON.stringify({ $maxCount: 1, $maxAge: 86_400 }));

/** Confirms positions of a cluster with appends to a barrier stream of this process. */
export class Confirmations {
  private readonly stream = `${BARRIER_STREAMS}${newUuid()}`;
  private readonly barrier: Barrier;
  private isBounded = false;

  constructor(
    private readonly connection: Connection,
    clock: Clock,
  ) {
    this.barrier = new Barrier(() => this.append(), clock);
  }

  confirmed(): Promise<Position> {
    return this.barrier.confirmed();
  }

  /**
   * Runs a first append of this process. The server has not seen it before, so it confirms a position like a barrier
   * does.
   */
  serve(append: () => Promise<AppendAnswer>): Promise<AppendAnswer> {
    return this.barrier.serve(append, (answer) => ('position' in answer && answer.position !== null ? positionOf(answer.position) : null));
  }

  private async append(): Promise<Position> {
    const position = positionIn(await this.write(this.stream, 'LogBarrier', EMPTY));
    if (!this.isBounded) void this.bound();
    return position;
  }

  /** Limits the length of the stream. A failure only costs space. */
  private async bound(): Promise<void> {
    this.isBounded = true;
    this.isBounded = await this.write(`$$${this.stream}`, '$metadata', STREAM_METADATA).then(
      () => true,
      () => false,
    );
  }

  private write(stream: string, type: string, data: Uint8Array): Promise<AppendAnswer> {
    const event: Proposed = { id: newUuid(), type, data, metadata: EMPTY };
    return this.connection.append(stream, 'any', [event], `write to ${stream}`);
  }
}

function positionIn(answer: AppendAnswer): Position {
  if ('position' in answer && answer.position !== null) return positionOf(answer.position);
  throw new StoreUnavailable('EventStoreDB: the server did not report the position of a write', false);
}
