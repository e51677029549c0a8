import type { Clock } from '../../kernel/clock.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { newUuid } from '../../kernel/ids.js';
import type { Position } from '../../kernel/position.js';
import type { AppendResponse } from './append-messages.js';
import { Barrier } from './barrier.js';
import type { Connection } from './connection.js';
import { BARRIER_STREAMS, type ProposedEvent } from './events.js';
import { toPosition } from './positions.js';

const EMPTY = Buffer.from('{}');
/** The server keeps only the last barrier, for one day: it can scavenge the others. */
const STREAM_METADATA = Buffer.from(JSON.stringify({ $maxCount: 1, $maxAge: 86_400 }));

/** Confirms positions of a cluster with appends to a barrier stream of this process. */
export class Confirmations {
  private readonly stream = `${BARRIER_STREAMS}${newUuid()}`;
  private readonly barrier: Barrier;
  private isLimited = false;

  constructor(
    private readonly connection: Connection,
    clock: Clock,
  ) {
    this.barrier = new Barrier(() => this.append(), clock);
  }

  confirm(): Promise<Position> {
    return this.barrier.confirm();
  }

  /**
   * Runs a first append of this process. The server has not seen it before, so it confirms a position like a barrier
   * does.
   */
  shareAppend(append: () => Promise<AppendResponse>): Promise<AppendResponse> {
    return this.barrier.shareAppend(append, (answer) =>
      'position' in answer && answer.position !== null ? toPosition(answer.position) : null,
    );
  }

  private async append(): Promise<Position> {
    const position = readPosition(await this.write(this.stream, 'LogBarrier', EMPTY));
    if (!this.isLimited) void this.limitStream();
    return position;
  }

  /** Limits the length of the stream. A failure only costs space. */
  private async limitStream(): Promise<void> {
    this.isLimited = true;
    this.isLimited = await this.write(`$$${this.stream}`, '$metadata', STREAM_METADATA).then(
      () => true,
      () => false,
    );
  }

  private write(stream: string, type: string, data: Uint8Array): Promise<AppendResponse> {
    const event: ProposedEvent = { id: newUuid(), type, data, metadata: EMPTY };
    return this.connection.append(stream, 'any', [event], `write to ${stream}`);
  }
}

function readPosition(answer: AppendResponse): Position {
  if ('position' in answer && answer.position !== null) return toPosition(answer.position);
  throw new StoreUnavailable('EventStoreDB: the server did not report the position of a write', false);
}
