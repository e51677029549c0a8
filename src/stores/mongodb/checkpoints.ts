import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb';
import { Checkpoints } from '../../kernel/checkpoints.js';
import { type Position, START } from '../../kernel/position.js';
import { READ_TIMEOUT } from './connections.js';
import { translateOutages } from './failures.js';
import { upsertEach } from './upserts.js';

export interface CheckpointRow {
  readonly _id: string;
  readonly position: Position;
}

export class MongoCheckpoints extends Checkpoints {
  private readonly checkpoints: Collection<CheckpointRow>;

  constructor(db: Db) {
    super();
    this.checkpoints = db.collection('checkpoints');
  }

  async readCheckpoint(name: string): Promise<Position> {
    const row = await translateOutages(() => this.checkpoints.findOne({ _id: { $eq: name } }));
    return row?.position ?? START;
  }

  async listCheckpointNames(): Promise<string[]> {
    const found = await translateOutages(() =>
      this.checkpoints.find({}, { projection: { _id: 1 }, sort: { _id: 1 }, ...READ_TIMEOUT }).toArray(),
    );
    return found.map(({ _id }) => _id);
  }

  advanceCheckpoints(checkpoints: Readonly<Record<string, Position>>): Promise<void> {
    return translateOutages(() => upsertEach(this.checkpoints, Object.entries(checkpoints), toAdvance));
  }

  async rewindCheckpoints(names: readonly string[], to: Position): Promise<void> {
    const beyond = { _id: { $in: [...names] }, position: { $gt: to } };
    await translateOutages(() => this.checkpoints.updateMany(beyond, { $set: { position: to } }));
  }
}

function toAdvance(
  [name, position]: readonly [string, Position],
  upsert: boolean,
): AnyBulkWriteOperation<CheckpointRow> {
  return { updateOne: { filter: { _id: { $eq: name } }, update: { $max: { position } }, upsert } };
}
