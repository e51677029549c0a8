import { generateKeyPairSync } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { signChainCheckpoint } from '../../../src/audit/chain/checkpoint-signature.js';
import type { ExportFormat } from '../../../src/audit/chain/export-records.js';
import { exportFormats, verifyExport } from '../../../src/audit/chain/export-verification.js';
import { EXPORT_FORMATS } from '../../../src/audit/domain/audit-export.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { scaleRuns, seed } from '../../contracts/seed.js';
import {
  BUSINESS,
  chainOf,
  createChainedEvent,
  createChainedLog,
  PUBLIC_KEY,
  toFile,
  writeExport,
} from './chained-log.js';

const log = createChainedLog(24);
/** The events of one of the streams are left out. */
const isIncluded = ({ stream }: RecordedEvent) => stream !== 'jar-2';

const verify = async (
  lines: readonly string[],
  manifest: ReturnType<typeof writeExport>['manifest'],
  key = PUBLIC_KEY,
) => verifyExport([toFile(lines)], manifest, key);

describe('An export as CSV', () => {
  it.each([
    ['actor', { actor: { type: 'user', id: '-1+2' } }],
    ['request id', { requestId: '-1+2' }],
  ] as const)('has an apostrophe before an %s that a spreadsheet could take for a formula', (_, changed) => {
    const event = createChainedEvent(1);
    const { lines } = writeExport([{ ...event, meta: { ...event.meta, ...changed } }], 'csv');

    expect(lines.at(-1)).toContain(`,'-1+2,`);
  });
});

describe.each(EXPORT_FORMATS)('The verification of an export as %s', (format) => {
  const { lines, manifest } = writeExport(log, format, isIncluded);
  const first = lines.findIndex((line) => line.includes('chain_start')) + 1;

  it('accepts the file, in chunks of any size', async () => {
    const file = toFile(lines);
    const chunks = Array.from({ length: Math.ceil(file.length / 7) }, (_, i) => file.subarray(7 * i, 7 * i + 7));

    expect(await verifyExport(chunks, manifest, PUBLIC_KEY)).toEqual({ events: 18, mismatch: null });
  });

  it('accepts an export that starts within the chain, and one without events', async () => {
    const later = writeExport(log.slice(10), format, isIncluded, chainOf(log.slice(0, 10)));
    const none = writeExport(log, format, () => false);

    expect((await verify(later.lines, later.manifest)).mismatch).toBeNull();
    expect((await verify(none.lines, none.manifest)).mismatch).toBeNull();
  });

  it('names the line and the position of a changed event', async () => {
    const changed = lines.with(first + 4, lines[first + 4]!.replace('AddCoins', 'AddCoinz'));

    expect((await verify(changed, manifest)).mismatch).toMatchObject({
      line: first + 5,
      number: 5,
      position: log[4]!.position,
    });
  });

  it('finds a forged event whose later hashes are computed again', async () => {
    const forged = writeExport(log.with(7, createChainedEvent(8, { coins: 1_000 })), format, isIncluded);

    expect((await verify(forged.lines, manifest)).mismatch).toMatchObject({ reason: 'the head of the chain differs' });
    expect(
      (await verify(forged.lines, { ...forged.manifest, checkpoint: manifest.checkpoint })).mismatch,
    ).toMatchObject({
      reason: 'the checkpoint signs another head',
    });
  });

  it('finds a checkpoint that another key has signed', async () => {
    const { checkpoint } = manifest;
    const signature = signChainCheckpoint(BUSINESS, checkpoint, generateKeyPairSync('ed25519').privateKey);

    expect((await verify(lines, { ...manifest, checkpoint: { ...checkpoint, signature } })).mismatch).toMatchObject({
      reason: 'the signature of the checkpoint is invalid',
    });
  });

  it('finds every part of the manifest that differs', async () => {
    const changes = [
      { count: 19 },
      { first_position: null },
      { last_position: '' },
      { sha256: '' },
      { business: 'biz_2' },
    ];
    const found = await Promise.all(changes.map((change) => verify(lines, { ...manifest, ...change })));

    expect(found.map(({ mismatch }) => mismatch === null)).toEqual(changes.map(() => false));
  });

  it(`finds each of random tamperings, at the first line that differs (SEED=${seed})`, () =>
    fc.assert(
      fc.asyncProperty(tamperings(lines), async (tampered) => {
        const changed = tampered.findIndex((line, i) => line !== lines[i]);
        const at = changed === -1 ? tampered.length : changed;
        const { mismatch } = await verify(tampered, manifest);
        const line = mismatch?.line ?? Infinity;

        expect(mismatch).not.toBeNull();
        expect(line).toBeGreaterThanOrEqual(at + 1);
        if (mustFailAt(exportFormats[format], tampered[at], lines[at])) expect(line).toBe(at + 1);
      }),
      { seed, numRuns: scaleRuns(500) },
    ));
});

/** A changed hash of a leaf shows at the next event, and a changed position at the end, by the hash of the file. */
function mustFailAt({ decode }: ExportFormat, tampered: string | undefined, original: string | undefined): boolean {
  if (tampered === undefined || !original?.includes('CoinsAdded')) return false;
  try {
    return !isDeepStrictEqual({ ...decode(tampered), position: '' }, { ...decode(original), position: '' });
  } catch {
    return true;
  }
}

/** Changed, deleted, inserted, doubled and exchanged lines, and truncated files. */
function tamperings(lines: readonly string[]): fc.Arbitrary<readonly string[]> {
  const line = fc.nat(lines.length - 1);
  const character = fc.constantFrom('0', '1', 'a', 'f', 'Z', '"', ' ', ',', '{', '=', 'é', '\r');
  return fc
    .oneof(
      fc.tuple(line, fc.nat(), character).map(([i, at, by]) => lines.with(i, replaceAt(lines[i]!, at, by))),
      line.map((i) => lines.toSpliced(i, 1)),
      fc.tuple(line, line).map(([from, to]) => lines.toSpliced(to, 0, lines[from]!)),
      fc.tuple(line, line).map(([a, b]) => lines.with(a, lines[b]!).with(b, lines[a]!)),
      line.map((length) => lines.slice(0, length)),
    )
    .filter((tampered) => tampered.join('\n') !== lines.join('\n'));
}

function replaceAt(line: string, at: number, by: string): string {
  const place = at % line.length;
  return line.slice(0, place) + by + line.slice(place + 1);
}
