import { generateKeyPairSync } from 'node:crypto';
import { hash } from 'node:crypto';
import {
  describeSigningKey,
  parsePublicKey,
  signChainCheckpoint,
} from '../../../src/audit/chain/checkpoint-signature.js';
import type { ExportManifest } from '../../../src/audit/chain/export-manifest.js';
import { toExportRecord, toStartRecord } from '../../../src/audit/chain/export-records.js';
import { exportFormats } from '../../../src/audit/chain/export-verification.js';
import { EMPTY_HASH_CHAIN, extendChain, hashLeaf } from '../../../src/audit/chain/hash-chain.js';
import type { ExportFormatName } from '../../../src/audit/domain/audit-export.js';
import type { ChainHead } from '../../../src/audit/domain/chain-checkpoint.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';

export const BUSINESS = 'biz_1';
export const { privateKey: SIGNING_KEY } = generateKeyPairSync('ed25519');
export const PUBLIC_KEY = parsePublicKey(describeSigningKey(SIGNING_KEY).public_key);

const AT = '2026-02-01T09:00:00.000Z';

/** Creates the nth event of a business; every third one has data that a spreadsheet could take for a formula. */
export function createChainedEvent(
  n: number,
  data: object = { coins: n, label: n % 3 === 0 ? '=1+1' : 'Äpfel, "rot"' },
) {
  const id = `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`;
  const actor = { type: 'api_key', id: 'key_1' } as const;
  const meta = {
    ...{ at: AT, command: 'AddCoins', commandId: id, correlationId: 'req_1', causationId: 'req_1', actor },
    ...({ business: BUSINESS, mode: 'live', requestId: '-req', v: 1 } as const),
  };
  const place = { stream: `jar-${n % 4}`, revision: Math.floor(n / 4), position: String(n * 7).padStart(16, '0') };
  return { id, type: 'CoinsAdded', data, meta, ...place } satisfies RecordedEvent;
}

export function createChainedLog(size: number): RecordedEvent[] {
  return Array.from({ length: size }, (_, n) => createChainedEvent(n + 1));
}

export function chainOf(events: readonly RecordedEvent[], start: ChainHead = EMPTY_HASH_CHAIN): ChainHead {
  return events.reduce((chain, event) => extendChain(chain, hashLeaf(event)), start);
}

/** Writes the export of a log in which `isIncluded` selects the events. */
export function writeExport(
  log: readonly RecordedEvent[],
  format: ExportFormatName,
  isIncluded: (event: RecordedEvent) => boolean = () => true,
  start: ChainHead = EMPTY_HASH_CHAIN,
) {
  const { header, encode } = exportFormats[format];
  const lines = [...(header === null ? [] : [header]), encode(toStartRecord(start))];
  let chain = start;
  for (const event of log) {
    const { record, after } = toExportRecord(chain, event, isIncluded(event));
    lines.push(encode(record));
    chain = after;
  }
  return { lines, manifest: createManifest(log.filter(isIncluded), format, lines, chain) };
}

export function toFile(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}

function createManifest(
  included: readonly RecordedEvent[],
  format: ExportFormatName,
  lines: readonly string[],
  chain: ChainHead,
): ExportManifest {
  const state = { ...chain, position: included.at(-1)?.position ?? '' };
  const { key_id } = describeSigningKey(SIGNING_KEY);
  return {
    object: 'export_manifest',
    export: { object: 'audit_export', id: 'exp_1' },
    business: BUSINESS,
    format,
    count: included.length,
    first_position: included.at(0)?.position ?? null,
    last_position: included.at(-1)?.position ?? null,
    sha256: hash('sha256', toFile(lines)),
    chain,
    checkpoint: { ...state, signed_at: AT, key_id, signature: signChainCheckpoint(BUSINESS, state, SIGNING_KEY) },
  };
}
