import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import { addMs, MAX_CLOCK_SKEW_MS } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { START } from '../../kernel/position.js';
import { EMPTY_HASH_CHAIN } from '../chain/hash-chain.js';
import { ChainSigner } from '../chain-signer.js';
import {
  type AuditExportCommand,
  auditExportDecider,
  type ExportRange,
  type ExportRequest,
} from '../domain/audit-export.js';
import type { HashChainState } from '../domain/chain-checkpoint.js';
import { auditChains } from '../projections/audit-chains.js';
import { type ExportChunk, ExportFiles } from './export-files.js';
import { ExportWriter } from './export-writer.js';

/** Runs an export step by step. Every step may be repeated, and two processes may run the same export. */
@Injectable()
export class ExportRunner {
  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly signer: ChainSigner,
    private readonly writer: ExportWriter,
    private readonly files: ExportFiles,
    private readonly config: Config,
  ) {}

  /** Runs one step. Returns whether the export has ended. */
  async runStep(exportId: string, context: Context): Promise<boolean> {
    const state = await this.streams.loadState(auditExportDecider, exportId);
    switch (state.status) {
      case 'pending':
        await this.start(state.request, context);
        return false;
      case 'running':
        return this.writeUnlessDeleted(state.request, state.range, context);
      case 'deleted':
        // A step that began before the deletion may have written a chunk after it.
        await this.files.drop(exportId);
        return true;
      case 'completed':
      case 'file_removed':
      case 'failed':
      case 'unknown':
        return true;
    }
  }

  private async start(request: ExportRequest, context: Context): Promise<void> {
    const checkpoint = await this.signer.signCurrent(request.businessId, createChildContext(context, 'sign'));
    if (checkpoint === null) throw new Error(`${request.exportId}: the chain of its business is empty`);
    const start = await this.findStart(request, checkpoint.count, context);
    await this.execute(request, { type: 'StartExport', range: { start, checkpoint } }, context);
  }

  /** Returns a stored head of the chain before the first event of the export. Later events may have earlier times. */
  private async findStart(
    { businessId, recordedFrom }: ExportRequest,
    maxCount: number,
    context: Context,
  ): Promise<HashChainState> {
    const origin = { ...EMPTY_HASH_CHAIN, position: START };
    if (recordedFrom === null) return origin;
    const where = { chain: businessId, recorded_at: { to: addMs(recordedFrom, -MAX_CLOCK_SKEW_MS) } };
    const found = await this.reader.find(auditChains, where, 1, context.consistency, 'recorded_at');
    const [copy] = found.filter(({ count }) => count <= maxCount);
    return copy === undefined ? origin : { count: copy.count, head: copy.head, position: copy.position };
  }

  /** A deletion during the step drops the file that the step reads. The next step ends the work. */
  private async writeUnlessDeleted(request: ExportRequest, range: ExportRange, context: Context): Promise<boolean> {
    try {
      return await this.write(request, range, context);
    } catch (error) {
      const { status } = await this.streams.loadState(auditExportDecider, request.exportId);
      if (status !== 'deleted') throw error;
      return false;
    }
  }

  private async write(request: ExportRequest, range: ExportRange, context: Context): Promise<boolean> {
    const { keptExportBytes: maxBytes } = this.config;
    const last = await this.writer.writeChunk(request, range, maxBytes);
    if (last === null) return false;
    const { count, head } = last.end;
    const isIntact = count === range.checkpoint.count && head === range.checkpoint.head;
    if (last.bytes > maxBytes) await this.execute(request, { type: 'FailExport', error: 'file_too_large' }, context);
    else if (isIntact) await this.complete(request, last, context);
    else await this.execute(request, { type: 'FailExport', error: 'chain_mismatch' }, context);
    // The next step drops the file of an export that was deleted during this one.
    return false;
  }

  private async complete(request: ExportRequest, last: ExportChunk, context: Context): Promise<void> {
    const sha256 = await this.files.hash(request.exportId);
    const { count, firstPosition, lastPosition, bytes } = last;
    const file = { count, firstPosition, lastPosition, bytes, sha256 };
    await this.execute(request, { type: 'CompleteExport', file }, context);
  }

  private async execute({ exportId }: ExportRequest, command: AuditExportCommand, context: Context): Promise<void> {
    await this.streams.execute(
      auditExportDecider,
      exportId,
      command,
      createChildContext(context, exportId, command.type),
    );
  }
}
