import type { Recorded } from '../../src/kernel/event.js';
import { brokenChains, strangeRequests, untoldEvents } from '../support/invariants/deliveries.js';
import { brokenStreams } from '../support/invariants/log.js';
import { unheededRefusals } from '../support/invariants/refusals.js';
import { brokenJobs } from '../support/invariants/replay-jobs.js';
import { driftedDocuments } from '../support/invariants/read-models.js';
import { staleSignatures } from '../support/invariants/signatures.js';
import { isCounted, TOTAL_STREAM } from './jars.js';
import { misrecorded } from './told.js';
import type { Clients, Sent } from './clients.js';
import { otherBuilds, unserved } from './builds.js';
import type { Operators } from './operators.js';
import type { Readers } from './readers.js';
import { restless } from './rest.js';
import type { World } from './world.js';

interface Cast {
  readonly clients: Clients;
  readonly readers: Readers;
  readonly operators: Operators;
}

/** Returns each violation of an invariant as a sentence. Call it when the run has finished. */
export async function findingsIn(world: World, { clients, readers, operators }: Cast): Promise<string[]> {
  const { events, readModels, jobs } = world.stores;
  const { log } = events;
  const { requests } = world.receivers;
  const inOrder = {
    'during the run': [...events.watch.breaches, ...world.glances.breaches],
    I1: [...clients.sent.flatMap((sent) => misrecorded(sent, log)), ...clients.toldTooEarly, ...clients.toldWrongly],
    I2: brokenStreams(log),
    I3: [...(await driftedBuilds(world)), ...operators.differences, ...readers.missed],
    I4: [...miscounted(log), ...brokenJars(log), ...unpolished(log, new Set(world.polished)), ...disordered(world.seen, log)],
    I5: [...readModels.breaches, ...jobs.breaches],
    I6: [...untoldEvents(log), ...(await restless(world))],
    I7: brokenChains(log),
    I8: strangeRequests(requests, log),
    I9: [...unheededRefusals(log), ...brokenJobs(log)],
    I12: staleSignatures(requests, log, clients.secrets),
    calm: world.calm ? [...unansweredOnACalmDay(clients.sent), ...repeatedOnACalmDay(world)] : [],
  };
  return Object.entries(inOrder).flatMap(([name, breaches]) => breaches.map((breach) => `${name} ${breach}`));
}

/** Compares all builds with the log; an inactive projection is reported as unfinished instead. */
async function driftedBuilds(world: World): Promise<string[]> {
  if ((await unserved(world)).length > 0) return [];
  return [...(await driftedDocuments(await world.heldInTheEnd(), world.stores.events.log)), ...(await otherBuilds(world))];
}

/** I4: finds coins that were not counted exactly once. */
function miscounted(log: readonly Recorded[]): string[] {
  const counts = Map.groupBy(
    log.filter(({ stream }) => stream === TOTAL_STREAM),
    ({ meta }) => meta.causationId,
  );
  return log.filter(isCounted).flatMap(({ id, stream }) => {
    const times = counts.get(id)?.length ?? 0;
    return times === 1 ? [] : [`coin ${id} of ${stream} was counted ${times} times`];
  });
}

/** Finds events decided on an outdated state. */
function brokenJars(log: readonly Recorded[]): string[] {
  const broken = new Set<string>();
  const breaches: string[] = [];
  for (const { type, stream } of log) {
    if (type === 'JarBroken' && broken.has(stream)) breaches.push(`${stream} broke twice`);
    if (type === 'CoinsAdded' && broken.has(stream)) breaches.push(`${stream} was broken but got a coin`);
    if (type === 'JarBroken') broken.add(stream);
  }
  return breaches;
}

function unpolished(log: readonly Recorded[], polished: ReadonlySet<string>): string[] {
  return log.flatMap(({ type, id }) => (type === 'CoinsAdded' && !polished.has(`polish:${id}`) ? [`coin ${id} was not polished`] : []));
}

/** Finds events that a reactor got before the previous event of their stream. */
function disordered(seen: readonly Recorded[], log: readonly Recorded[]): string[] {
  const got = new Set<string>();
  return seen.flatMap(({ id, stream, revision }) => {
    const before = log.findLast((event) => event.stream === stream && event.revision < revision && event.type === 'CoinsAdded');
    got.add(id);
    return before === undefined || got.has(before.id)
      ? []
      : [`the reactor got revision ${revision} of ${stream} before ${before.revision}`];
  });
}

/** Finds requests without a response in a run without faults. */
function unansweredOnACalmDay(sent: readonly Sent[]): string[] {
  return sent.flatMap(({ label, wish, told }) =>
    told.every((one) => one === 'done' || one === 'refused') ? [] : [`${label} ${wish.name} got the responses ${told.join(', ')}`],
  );
}

/** Finds lost attempts and repeated jobs in a run without faults. */
function repeatedOnACalmDay({ polished, stores }: World): string[] {
  const lost = stores.events.log.filter(({ type }) => type === 'AttemptLost');
  const doubled = polished.filter((key, i) => polished.indexOf(key) !== i);
  return [...lost.map(({ stream }) => `an attempt of ${stream} was lost`), ...doubled.map((key) => `${key} was run again`)];
}
