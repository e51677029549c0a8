import { createHash, type Hash, type KeyObject } from 'node:crypto';
import type { Position } from '../../kernel/position.js';
import type { ChainHead } from '../domain/chain-checkpoint.js';
import { isSignedBy } from './checkpoint-signature.js';
import { csv } from './export-csv.js';
import type { ExportManifest } from './export-manifest.js';
import { type ExportFormat, type ExportRecord, ndjson } from './export-records.js';
import { EMPTY_HASH_CHAIN, extendChain, hashLeaf } from './hash-chain.js';

const LINE_FEED = 0x0a;

/** The first record or part of the manifest that does not fit. */
export interface ExportMismatch {
  /** The line of the file, from 1; null when the manifest does not fit. */
  readonly line: number | null;
  /** The number that the event has in the chain, or should have. */
  readonly number: number;
  /** The position of the event in the log, if the record has one; of the last event when the manifest does not fit. */
  readonly position: Position | null;
  readonly reason: string;
}

export interface ExportVerification {
  readonly events: number;
  /** Null: everything fits. */
  readonly mismatch: ExportMismatch | null;
}

export const exportFormats: Readonly<Record<ExportManifest['format'], ExportFormat>> = { ndjson, csv };

/** Verifies an export file with nothing but its manifest and, if given, the public key of the service. */
export async function verifyExport(
  file: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  manifest: ExportManifest,
  publicKey: KeyObject | null,
): Promise<ExportVerification> {
  const verifier = new ExportVerifier(manifest);
  const sha256 = createHash('sha256');
  for await (const line of readLines(file, sha256)) {
    const mismatch = verifier.add(line);
    if (mismatch !== null) return { events: verifier.events, mismatch };
  }
  return { events: verifier.events, mismatch: verifier.findEndMismatch(sha256.digest('hex'), publicKey) };
}

/** Yields the lines of a file and hashes all its bytes. */
async function* readLines(file: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, sha256: Hash): AsyncIterable<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of file) {
    sha256.update(chunk);
    rest = Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED, from)) {
      yield rest.toString('utf8', from, end);
      from = end + 1;
    }
    rest = rest.subarray(from);
  }
  if (rest.length > 0) yield rest.toString('utf8');
}

class ExportVerifier {
  events = 0;
  private readonly format: ExportFormat;
  private chain: ChainHead | null = null;
  private line = 0;
  private number = 0;
  private first: Position | null = null;
  private last: Position | null = null;

  constructor(private readonly manifest: ExportManifest) {
    this.format = exportFormats[manifest.format];
  }

  /** Returns why the line does not fit, or null. */
  add(line: string): ExportMismatch | null {
    this.line++;
    if (this.line === 1 && this.format.header !== null)
      return line === this.format.header ? null : this.toMismatch(null, 'the header differs');
    this.number = (this.chain?.count ?? 0) + 1;
    const decoded = this.decode(line);
    if (decoded === null) return this.toMismatch(null, 'the line is not a record of an export');
    const { record, isExact } = decoded;
    const reason = isExact ? this.addRecord(record) : 'the line differs from the encoding of its record';
    return reason === null ? null : this.toMismatch(record, reason);
  }

  /** Compares the whole file with the manifest. */
  findEndMismatch(sha256: string, publicKey: KeyObject | null): ExportMismatch | null {
    const { manifest, chain } = this;
    const found = { count: this.events, first: this.first, last: this.last };
    if (chain === null || chain.count !== manifest.chain.count)
      return this.toEndMismatch(`the file ends with event ${chain?.count ?? 0} of ${manifest.chain.count}`);
    if (chain.head !== manifest.chain.head) return this.toEndMismatch('the head of the chain differs');
    if (found.count !== manifest.count) return this.toEndMismatch('the number of events differs');
    if (found.first !== manifest.first_position || found.last !== manifest.last_position)
      return this.toEndMismatch('the first or the last position differs');
    if (sha256 !== manifest.sha256) return this.toEndMismatch('the SHA-256 of the file differs');
    return this.findChainCheckpointMismatch(publicKey);
  }

  private decode(line: string): { readonly record: ExportRecord; readonly isExact: boolean } | null {
    try {
      const record = this.format.decode(line);
      return { record, isExact: this.format.encode(record) === line };
    } catch {
      return null;
    }
  }

  private addRecord(record: ExportRecord): string | null {
    if (record.object === 'chain_start') return this.start(record);
    if (this.chain === null) return 'the start of the chain is missing';
    if (record.number !== this.chain.count + 1) return `the record has number ${record.number}`;
    const leaf = record.object === 'leaf' ? record.leaf : this.hashEvent(record);
    this.chain = extendChain(this.chain, leaf);
    return record.object === 'leaf' ? null : this.addEvent(record, this.chain);
  }

  private start({ count, head }: ChainHead): string | null {
    if (this.chain !== null) return 'the chain starts twice';
    if (count === 0 && head !== EMPTY_HASH_CHAIN.head) return 'an empty chain has another head';
    this.chain = { count, head };
    return null;
  }

  private hashEvent({ event, position }: Extract<ExportRecord, { object: 'event' }>): string {
    return hashLeaf({ ...event, position });
  }

  private addEvent(
    { event, head, position }: Extract<ExportRecord, { object: 'event' }>,
    chain: ChainHead,
  ): string | null {
    if (head !== chain.head) return 'the hash of the event or of a record before it differs';
    if (event.meta.business !== this.manifest.business) return 'the event belongs to another business';
    if (this.last !== null && position <= this.last) return 'the position is not after the one before it';
    this.events++;
    this.first ??= position;
    this.last = position;
    return null;
  }

  private findChainCheckpointMismatch(publicKey: KeyObject | null): ExportMismatch | null {
    const { checkpoint, chain, business } = this.manifest;
    if (checkpoint.count !== chain.count || checkpoint.head !== chain.head)
      return this.toEndMismatch('the checkpoint signs another head');
    if (publicKey !== null && !isSignedBy(publicKey, business, checkpoint))
      return this.toEndMismatch('the signature of the checkpoint is invalid');
    return null;
  }

  private toMismatch(record: ExportRecord | null, reason: string): ExportMismatch {
    const position = record?.object === 'event' ? record.position : null;
    return { line: this.line, number: this.number, position, reason };
  }

  private toEndMismatch(reason: string): ExportMismatch {
    return { line: null, number: this.number, position: this.last, reason };
  }
}
