import { setTimeout as delay } from 'node:timers/promises';
import { round } from '../numbers.ts';
import { type MeasuredServer, REST_MS, toMegabytes } from '../server.ts';
import { buyRange, IN_FLIGHT, type Shop } from './shops.ts';

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

async function readUse(service: MeasuredServer, purchases: number) {
  const reading = await service.read();
  return { cpu_ms_per_purchase: round(reading.cpuMicros / purchases / 1_000), ...toMegabytes(reading) };
}
