import '../../../src/features.js';
import type { ReadModelReader } from '../../../src/engine/read-models/read-model-reader.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { PUBLIC_EVENTS } from '../../../src/features.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import type { FieldChanges } from '../../../src/kernel/field-changes.js';
import { renderOrNull, toDocumentIds } from '../../../src/kernel/projection.js';
import type { Publication } from '../../../src/kernel/public-event-definition.js';
import { upcast } from '../../../src/kernel/upcasting.js';
import type { PublicEvent } from '../../../src/webhooks/domain/public-event.js';
import { findPublication } from '../../../src/webhooks/processes/publications.js';
import { PublishEvents } from '../../../src/webhooks/processes/publish-events.js';
import { EagerClock, SeededRandom } from '../../support/clock.js';
import { type History, readHistories } from '../../support/histories.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';
import { setUpSuiteRegistry } from '../../support/suite-registry.js';

const histories = await readHistories();

const CHANGES = PUBLIC_EVENTS.flatMap((event) => ('change' in event && event.change ? [event.type] : []));

const WITHOUT_CHANGES = [
  'api_key.created',
  'buyer.erased',
  'community.challenge.created',
  'community.challenge.joined',
  'community.channel.created',
  'community.channel.deleted',
  'community.comment.created',
  'community.comment.deleted',
  'community.created',
  'community.invite.created',
  'community.library_resource.created',
  'community.library_resource.deleted',
  'community.library_resource.downloaded',
  'community.member.erased',
  'community.member.imported',
  'community.message.created',
  'community.message.deleted',
  'community.onboarding_task.completed',
  'community.onboarding_task.created',
  'community.onboarding_task.deleted',
  'community.points.awarded',
  'community.points.reversed',
  'community.post.created',
  'community.post.deleted',
  'community.post.liked',
  'community.post.unliked',
  'discount.created',
  'discount.deleted',
  'dispute.opened',
  'installment.cancelled',
  'installment.failed',
  'installment.paid',
  'invoice.issued',
  'offer.created',
  'payout.paid',
  'subscription.created',
  'webhook.endpoint.warning',
  'webhook.test',
];

/** No recorded history has such a fact with an earlier document. Specs of their own show their changes. */
const UNRECORDED = ['entitlement.granted', 'offer.sent', 'product.review_requested', 'webhook.endpoint.disabled'];

interface Published {
  readonly publication: Publication;
  readonly event: PublicEvent;
  /** The document before the append, without hidden fields; null when there was none. */
  readonly before: object | null;
}

/** A reader without documents: fields that count events of other streams keep the values of their own stream. */
const READER = { requirePosition: () => Promise.resolve(), get: () => Promise.resolve(null) };

describe('The changes that an event tells', () => {
  const suite = setUpSuiteRegistry();

  /** Publishes every event of a recorded history. */
  async function publish({ events }: History): Promise<Published[]> {
    const clock = new EagerClock();
    const store = new MemoryEventStore(clock);
    const streams = new Streams(store, clock, new SeededRandom(1));
    const readModels = new MemoryReadModels(clock);
    const publishEvents = new PublishEvents(streams, READER as unknown as ReadModelReader, readModels);
    await record(
      store,
      events.map((event) => upcast(event, suite.registry.upcasters)),
    );
    const published: Published[] = [];
    const history = [...store.log];
    for (const fact of history) {
      const publication = findPublication(fact);
      const length = store.log.length;
      if (publication !== null) await publishEvents.react(fact);
      if (publication === null || store.log.length === length) continue;
      const nothing = () => Promise.resolve(null);
      const sources = { loadState: streams.loadState.bind(streams), readDocument: nothing, readStored: nothing };
      const before = renderBefore(fact, publication, history);
      const shown = before && ((await publication.complete?.(before, sources, fact)) ?? before);
      published.push({ publication, event: store.log.at(-1)!.data as PublicEvent, before: shown && toShown(shown) });
    }
    return published;
  }

  it('make the data out of the earlier resource, for every type', async () => {
    const seen = new Set<string>();
    for (const history of histories)
      for (const { event, publication, before } of await publish(history)) {
        const { type, changes, data } = event;
        const isChange = publication.change === true && before !== null;
        expect({ type, hasChanges: changes !== null }).toEqual({ type, hasChanges: isChange });
        if (changes === null) continue;
        seen.add(type);
        expectToBeDifference(changes, before!, data);
      }
    expect(CHANGES.filter((type) => !seen.has(type))).toEqual(UNRECORDED);
  });

  it('exist for every type, except those that mean a beginning, an end or an act', () =>
    expect(PUBLIC_EVENTS.map(({ type }) => type).filter((type) => !CHANGES.includes(type))).toEqual(WITHOUT_CHANGES));
});

/** Records each event by itself or, with those of the same command after it, as one append. */
async function record(store: MemoryEventStore, events: readonly RecordedEvent[]): Promise<void> {
  const revisions = new Map<string, number>();
  for (const event of events) {
    const expected = revisions.get(event.stream) ?? 'none';
    const { revision } = await store.append(event.stream, expected, [event]);
    revisions.set(event.stream, revision);
  }
}

function renderBefore(fact: RecordedEvent, { projection, alone }: Publication, history: readonly RecordedEvent[]) {
  if (alone) return null;
  const [id] = toDocumentIds(projection, fact);
  const own = history.filter(({ stream }) => stream === fact.stream);
  const start = own.findIndex(({ meta }) => meta.commandId === fact.meta.commandId);
  return renderOrNull(projection, id!, own.slice(0, start));
}

/** The time of the change is left out: it is that of the event. */
function expectToBeDifference(changes: FieldChanges, before: object, data: object): void {
  const values = (side: 'before' | 'after') =>
    Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, change[side]]));
  const { updated_at: time, ...expected } = data as { readonly updated_at?: string };
  expect({ ...before, updated_at: time, ...values('after') }).toEqual({ updated_at: time, ...expected });
  expect(before).toMatchObject(values('before'));
  for (const { before: earlier, after } of Object.values(changes)) expect(earlier).not.toEqual(after);
}

/** Returns the document as it is shown, with a hash for each personal field: its ciphertext may differ. */
function toShown(document: object): object {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith('_')));
}
