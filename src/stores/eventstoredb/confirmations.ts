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
/** The server keeps the last barrier, for a day: the others can be scavenged. */
const STREAM_METADATA = Buffer.from(JSON.stringify({ $maxCount: 1, $maxAge: 86_400 }));

/** Confirms what a cluster has acknowledged by an append of its own to a stream of this process. */
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

  /** An append of this process that the server cannot have had before: it confirms as much as an own one would. */
  serve(append: () => Promise<AppendAnswer>): Promise<AppendAnswer> {
    return this.barrier.serve(append, (answer) => ('position' in answer && answer.position !== null ? positionOf(answer.position) : null));
  }

  private async append(): Promise<Position> {
    const position = positionIn(await this.write(this.stream, 'LogBarrier', EMPTY));
    if (!this.isBounded) void this.bound();
    return position;
  }

  /** Nothing rests on it but the space that barriers take. */
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
  throw new StoreUnavailable('EventStoreDB: it did not say where it has written', false);
}
