import { ChainSigner } from '../../../src/audit/chain-signer.js';
import { auditChainDecider } from '../../../src/audit/domain/audit-chain.js';
import { auditExportDecider } from '../../../src/audit/domain/audit-export.js';
import { ExportRunner } from '../../../src/audit/exports/export-runner.js';
import { auditChains, COPY_INTERVAL } from '../../../src/audit/projections/audit-chains.js';
import { Registry } from '../../../src/engine/registry.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { addMs, MAX_CLOCK_SKEW_MS, toIso } from '../../../src/kernel/clock.js';
import { createContext } from '../../support/jar.js';
import { MemoryContainer } from '../../support/memory/memory-container.js';
import { readTestConfig } from '../../webhooks/test-config.js';
import { BUSINESS, createChainedEvent } from '../chain/chained-log.js';

const HOUR_MS = 3_600_000;
const ID = 'exp_1';

describe('The start of an export', () => {
  let process: MemoryContainer;
  beforeEach(async () => {
    process = new MemoryContainer(await readTestConfig());
    process.get(Registry).add({ deciders: [auditChainDecider, auditExportDecider], projections: [auditChains] });
    await process.start();
  });
  afterEach(() => process.stop());

  async function record(from: number, to: number): Promise<void> {
    for (let n = from; n <= to; n++) {
      const { id, meta } = createChainedEvent(n);
      const event = { id, meta, type: 'DiscountCreated', data: { discountId: `dsc_${n}` } };
      await process.events.append(`discount-dsc_${n}`, 'none', [event]);
    }
    await process.clock.advance(1_000);
  }

  /** Records the events after the first signature of the chain and before the next work of the export. */
  function recordAfterSigning(from: number, to: number): void {
    const signer = process.get(ChainSigner);
    const signCurrent = signer.signCurrent.bind(signer);
    signer.signCurrent = async (...call) => {
      const checkpoint = await signCurrent(...call);
      await record(from, to);
      return checkpoint;
    };
  }

  async function start(recordedFrom: string) {
    const filter = { recordedFrom, recordedTo: null, types: [], resource: null };
    const request = { ...filter, exportId: ID, businessId: BUSINESS, mode: 'live', format: 'ndjson' } as const;
    const streams = process.get(Streams);
    await streams.execute(auditExportDecider, ID, { type: 'RequestExport', request }, createContext('request'));
    await process.get(ExportRunner).runStep(ID, createContext('run'));
    return streams.loadState(auditExportDecider, ID);
  }

  it('is no later than its signed head, when the range begins in the future and the chain grows', async () => {
    await record(1, 1);
    recordAfterSigning(2, COPY_INTERVAL);

    expect(await start(toIso(process.clock.now() + HOUR_MS))).toMatchObject({
      status: 'running',
      range: { start: { count: 0 }, checkpoint: { count: 2 } },
    });
  });

  it.each([
    ['the origin, when clocks may differ by more than the time between it and the range', -1, 0],
    ['the last stored head that is older than the range by as much as clocks may differ', 0, COPY_INTERVAL],
  ])('is %s', async (_, ms, count) => {
    await record(1, COPY_INTERVAL);
    const { at } = createChainedEvent(COPY_INTERVAL).meta;

    expect(await start(addMs(at, MAX_CLOCK_SKEW_MS + ms))).toMatchObject({ range: { start: { count } } });
  });
});
