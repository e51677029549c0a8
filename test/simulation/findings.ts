import type { RecordedEvent } from '../../src/kernel/event.js';
import { findRetriesAfterClientError } from '../support/invariants/client-errors.js';
import { findBrokenChains, findUnexpectedRequests, findUnpublishedEvents } from '../support/invariants/deliveries.js';
import { findBrokenStreams } from '../support/invariants/log.js';
import { findDriftedDocuments } from '../support/invariants/read-models.js';
import { findBrokenJobs } from '../support/invariants/replay-jobs.js';
import { findStaleSignatures } from '../support/invariants/signatures.js';
import { findDifferingBuilds, findInactiveProjections } from './builds.js';
import type { Clients, SentRequest } from './clients.js';
import { isCounted, TOTAL_STREAM } from './jars.js';
import type { Operators } from './operators.js';
import { findUnfinishedWork } from './quiescence.js';
import type { Readers } from './readers.js';
import { findMisrecordedEvents } from './request-outcomes.js';
import { findAreaErrors } from './shop/life-checks.js';
import type { BusinessTimes } from './shop/visitors.js';
import type { World } from './world.js';

interface Actors {
  readonly clients: Clients;
  readonly readers: Readers;
  readonly operators: Operators;
  readonly times: BusinessTimes;
}

/** Returns each violation of an invariant as a sentence. Call it when the run has finished. */
export async function collectFindings(world: World, { clients, readers, operators, times }: Actors): Promise<string[]> {
  const { events, readModels, jobs } = world.stores;
  const { log } = events;
  const { requests } = world.receivers;
  const byInvariant = {
    'during the run': [
      ...events.checks.violations,
      ...world.documentChecks.violations,
      ...(world.lifeChecks?.violations ?? []),
    ],
    I1: [
      ...clients.sent.flatMap((sent) => findMisrecordedEvents(sent, log)),
      ...clients.earlyAcknowledgements,
      ...clients.unjustifiedRejections,
    ],
    I2: findBrokenStreams(log),
    I3: [...(await findDriftedBuilds(world)), ...operators.differences, ...readers.violations],
    I4: [
      ...findMiscountedCoins(log),
      ...findEventsOfBrokenJars(log),
      ...findUnpolishedCoins(log, new Set(world.polishedKeys)),
      ...findDisorderedReactions(world.seenEvents, log),
    ],
    I5: [...readModels.violations, ...jobs.violations],
    I6: [...findUnpublishedEvents(log), ...(await findUnfinishedWork(world))],
    I7: findBrokenChains(log),
    I8: findUnexpectedRequests(requests, log),
    I9: [...findRetriesAfterClientError(log), ...findBrokenJobs(log)],
    I12: findStaleSignatures(requests, log, clients.secrets),
    ...findAreaErrors(log, world.bank, times),
    faultless: world.isFaultless ? [...findUnansweredRequests(clients.sent), ...findRepeatedWork(world)] : [],
  };
  return Object.entries(byInvariant).flatMap(([name, breaches]) => breaches.map((breach) => `${name} ${breach}`));
}

/** Compares all builds with the log; an inactive projection is reported as unfinished instead. */
async function findDriftedBuilds(world: World): Promise<string[]> {
  if ((await findInactiveProjections(world)).length > 0) return [];
  return [
    ...(await findDriftedDocuments(await world.inspectWithoutSkips(), world.stores.events.log)),
    ...(await findDifferingBuilds(world)),
  ];
}

/** I4: finds coins that were not counted exactly once. */
function findMiscountedCoins(log: readonly RecordedEvent[]): string[] {
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
function findEventsOfBrokenJars(log: readonly RecordedEvent[]): string[] {
  const broken = new Set<string>();
  const breaches: string[] = [];
  for (const { type, stream } of log) {
    if (type === 'JarBroken' && broken.has(stream)) breaches.push(`${stream} broke twice`);
    if (type === 'CoinsAdded' && broken.has(stream)) breaches.push(`${stream} was broken but got a coin`);
    if (type === 'JarBroken') broken.add(stream);
  }
  return breaches;
}

function findUnpolishedCoins(log: readonly RecordedEvent[], polished: ReadonlySet<string>): string[] {
  return log.flatMap(({ type, id }) =>
    type === 'CoinsAdded' && !polished.has(`polish:${id}`) ? [`coin ${id} was not polished`] : [],
  );
}

/** Finds events that a reactor got before the previous event of their stream. */
function findDisorderedReactions(seen: readonly RecordedEvent[], log: readonly RecordedEvent[]): string[] {
  const got = new Set<string>();
  return seen.flatMap(({ id, stream, revision }) => {
    const before = log.findLast(
      (event) => event.stream === stream && event.revision < revision && event.type === 'CoinsAdded',
    );
    got.add(id);
    return before === undefined || got.has(before.id)
      ? []
      : [`the reactor got revision ${revision} of ${stream} before ${before.revision}`];
  });
}

/** Finds requests without a response in a run without faults. */
function findUnansweredRequests(sent: readonly SentRequest[]): string[] {
  return sent.flatMap(({ label, command, outcomes }) =>
    outcomes.every((one) => one === 'done' || one === 'refused')
      ? []
      : [`${label} ${command.name} got the responses ${outcomes.join(', ')}`],
  );
}

/** Finds lost attempts and repeated jobs in a run without faults. */
function findRepeatedWork({ polishedKeys, stores }: World): string[] {
  const lost = stores.events.log.filter(({ type }) => type === 'AttemptLost');
  const doubled = polishedKeys.filter((key, i) => polishedKeys.indexOf(key) !== i);
  return [
    ...lost.map(({ stream }) => `an attempt of ${stream} was lost`),
    ...doubled.map((key) => `${key} was run again`),
  ];
}
