import { setTimeout as delay } from 'node:timers/promises';
import { round } from '../numbers.ts';
import { type MeasuredServer, REST_MS } from '../server.ts';
import { IN_FLIGHT } from './measured-shop.ts';
import { buy, type Shop } from './shops.ts';

const PARTS = 10;

/**
 * Makes this number of purchases from the shops in turn. Reads the rate, the CPU time and the memory after each tenth of
 * them, and the memory at rest.
 */
export async function measureLongRun(service: MeasuredServer, shops: readonly Shop[], purchases: number) {
  const parts = [];
  await service.read();
  for (let part = 0; part < PARTS; part++) {
    const began = performance.now();
    await buyRange(shops, (part * purchases) / PARTS, ((part + 1) * purchases) / PARTS);
    const perSecond = (purchases / PARTS / (performance.now() - began)) * 1_000;
    parts.push({ purchases_per_second: round(perSecond), ...(await readUse(service, purchases / PARTS)) });
    console.error(JSON.stringify(parts.at(-1)));
  }
  await delay(REST_MS);
  const { resident_mb, peak_mb } = await readUse(service, purchases);
  return { purchases, in_flight: IN_FLIGHT, parts, at_rest: { resident_mb, peak_mb } };
}

async function buyRange(shops: readonly Shop[], first: number, end: number): Promise<void> {
  let next = Math.ceil(first);
  const buyAgain = async () => {
    while (next < end) {
      const n = next++;
      await buy(shops[n % shops.length]!, `buyer${n}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, buyAgain));
}

async function readUse(service: MeasuredServer, purchases: number) {
  const { cpuMicros, residentBytes, peakBytes, usedHeapBytes } = await service.read();
  const toMb = (bytes: number) => round(bytes / 1_000_000);
  const memory = { resident_mb: toMb(residentBytes), used_heap_mb: toMb(usedHeapBytes), peak_mb: toMb(peakBytes) };
  return { cpu_ms_per_purchase: round(cpuMicros / purchases / 1_000), ...memory };
}
