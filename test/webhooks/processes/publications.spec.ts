import '../../../src/features.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isEncryptedField } from '../../../src/kernel/encrypted-field.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { renderOrNull, toDocumentIds } from '../../../src/kernel/projection.js';
import type { Publication, PublicationSources } from '../../../src/kernel/public-event-definition.js';
import { upcast } from '../../../src/kernel/upcasting.js';
import { findPublication, mapPublications } from '../../../src/webhooks/processes/publications.js';
import { closeSchema, FORMATS } from '../../http/support/openapi-client.js';
import { readHistories } from '../../support/histories.js';
import { setUpSuiteRegistry } from '../../support/suite-registry.js';

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
const histories = await readHistories();

/** No recorded history has these facts in the form that is published. Specs of their own publish them. */
const UNRECORDED = ['InstallmentFailed', 'InstallmentPlanCancelled'];

/** Renders the data of each public event in the recorded histories, as the publication does. */
describe('A published fact', () => {
  const suite = setUpSuiteRegistry();

  it.each([...mapPublications().keys()].filter((fact) => !fact.startsWith('Endpoint') && !UNRECORDED.includes(fact)))(
    'is rendered by its schema: %s',
    async (fact) => {
      const found: string[][] = [];
      for (const { events } of histories) {
        const upToDate = events.map((event) => upcast(event, suite.registry.upcasters));
        for (const [i, event] of upToDate.entries())
          if (event.type === fact) found.push(...(await findErrors(event, upToDate.slice(0, i + 1))));
      }

      expect(found.length).toBeGreaterThan(0);
      expect(found.flat()).toEqual([]);
    },
  );
});

/** Returns the errors of one publication; none at all when the event is not published. */
async function findErrors(event: RecordedEvent, before: readonly RecordedEvent[]): Promise<string[][]> {
  const publication = findPublication(event);
  if (publication === null) return [];
  const history = before.filter(({ stream }) => stream === event.stream);
  const sources = createSources(before);
  return Promise.all(
    toDocumentIds(publication.projection, event).map(async (id) => {
      const document = renderOrNull(publication.projection, id, publication.alone ? [event] : history);
      const complete = document && (await publication.complete?.(document, sources, event));
      return validate(publication, JSON.parse(JSON.stringify(complete ?? document, toShown)));
    }),
  );
}

/** The streams of the recorded history, and no read model. */
function createSources(events: readonly RecordedEvent[]): PublicationSources {
  return {
    loadState: (decider, id) =>
      Promise.resolve(
        events
          .filter(({ stream }) => stream === `${decider.category}-${id}`)
          .reduce((state, event) => decider.evolve(state, event as never), decider.initial),
      ),
    readDocument: () => Promise.resolve(null),
    readStored: () => Promise.resolve(null),
  };
}

function validate({ schema }: Publication, data: unknown): string[] {
  const check = ajv.compile(closeSchema(schema.schema));
  check(data);
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Omits the hidden fields of a document, and opens personal fields. */
function toShown(key: string, value: unknown): unknown {
  if (key.startsWith('_')) return undefined;
  return isEncryptedField(value) ? 'ada@example.com' : value;
}
