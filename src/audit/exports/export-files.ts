import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ReadModels } from '../../kernel/read-models.js';
import type { HashChainState } from '../domain/chain-checkpoint.js';

/** The file of an export is dropped after this time. */
export const FILE_RETENTION_DAYS = 30;
const DIGITS = 8;

/** A part of an export file, with what the whole file contains up to its end. */
export interface ExportChunk {
  readonly text: string;
  readonly index: number;
  readonly end: HashChainState;
  readonly count: number;
  readonly firstPosition: string | null;
  readonly lastPosition: string | null;
  readonly bytes: number;
}

interface ChunkDocument extends ExportChunk {
  readonly id: string;
}

/** Stores the files of exports in the store, one collection for each, so that every process can serve them. */
@Injectable()
export class ExportFiles {
  constructor(private readonly readModels: ReadModels) {}

  async prepare(exportId: string): Promise<void> {
    await this.readModels.ensureCollection(toExportCollection(exportId), { indexes: [] });
  }

  async findLast(exportId: string): Promise<ExportChunk | null> {
    const newest = { where: {}, orderBy: 'id', limit: 1 };
    const [found] = await this.readModels.find<ChunkDocument>(toExportCollection(exportId), newest);
    return found ?? null;
  }

  /** Adds the next chunk. False when another process has stored it. */
  add(exportId: string, chunk: ExportChunk): Promise<boolean> {
    const id = toChunkId(chunk.index);
    return this.readModels.compareAndSet(
      toExportCollection(exportId),
      { id, position: id, document: { id, ...chunk } },
      '',
    );
  }

  async *read(exportId: string): AsyncGenerator<string> {
    for (let index = 1; ; index++) {
      const [row] = await this.readModels.load(toExportCollection(exportId), [toChunkId(index)]);
      if (row === undefined) return;
      yield (row.document as ChunkDocument).text;
    }
  }

  /** Returns the SHA-256 of the whole file in hex. Other work on the thread runs between the chunks. */
  async hash(exportId: string): Promise<string> {
    const sha256 = createHash('sha256');
    for await (const text of this.read(exportId)) {
      sha256.update(text);
      await nextTurn();
    }
    return sha256.digest('hex');
  }

  drop(exportId: string): Promise<void> {
    return this.readModels.dropCollection(toExportCollection(exportId));
  }
}

export function toExportCollection(exportId: string): string {
  return `audit-export-${exportId}`;
}

function toChunkId(index: number): string {
  return String(index).padStart(DIGITS, '0');
}
