import { Checkpoints } from '../../kernel/checkpoints.js';
import { type Position, START } from '../../kernel/position.js';
import type { CommitQueue } from './commit-queue.js';
import type { Reader } from './reader.js';

export class EmbeddedCheckpoints extends Checkpoints {
  constructor(
    private readonly queue: CommitQueue,
    private readonly reader: Reader,
  ) {
    super();
  }

  async readCheckpoint(name: string): Promise<Position> {
    const row = await this.reader.read((sql) =>
      sql.get<{ position: Position }>('select position from checkpoints where name = ?', name),
    );
    return row?.position ?? START;
  }

  async listCheckpointNames(): Promise<string[]> {
    const rows = await this.reader.read((sql) =>
      sql.all<{ name: string }>('select name from checkpoints order by name'),
    );
    return rows.map(({ name }) => name);
  }

  advanceCheckpoints(checkpoints: Readonly<Record<string, Position>>): Promise<void> {
    return this.queue.run('advanceCheckpoints', checkpoints);
  }

  rewindCheckpoints(names: readonly string[], to: Position): Promise<void> {
    return this.queue.run('rewindCheckpoints', names, to);
  }
}
