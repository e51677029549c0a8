import { AUDITED_STREAMS } from '../../src/features.js';
import type { AuditedStream } from '../../src/kernel/audited-stream.js';
import { mapPublications } from '../../src/webhooks/processes/publications.js';
import { UNPUBLISHED } from './unpublished-facts.js';

type Stream = Pick<AuditedStream, 'category'> & { readonly decider: { readonly versions: object } };

/** Returns the facts that are neither published nor an exception. */
function findUnheardFacts(streams: readonly Stream[]): string[] {
  return streams.flatMap(({ category, decider }) =>
    Object.keys(decider.versions).filter(
      (fact) => !mapPublications().has(fact) && !(fact in UNPUBLISHED) && !(`${category}-*` in UNPUBLISHED),
    ),
  );
}

/** Returns the exceptions that except nothing: their facts are published or do not exist. */
function findStaleExceptions(exceptions: readonly string[]): string[] {
  const facts = AUDITED_STREAMS.flatMap(({ category, decider }) => [
    `${category}-*`,
    ...Object.keys(decider.versions).filter((fact) => !mapPublications().has(fact)),
  ]);
  return exceptions.filter((exception) => !facts.includes(exception));
}

describe('The catalogue of public events', () => {
  it('has an event for every fact that changes a public resource, or the reason why it has none', () =>
    expect(findUnheardFacts(AUDITED_STREAMS)).toEqual([]));

  it('would be incomplete with a fact that has neither', () =>
    expect(findUnheardFacts([{ category: 'label', decider: { versions: { LabelMoved: 1 } } }])).toEqual([
      'LabelMoved',
    ]));

  it('excepts only facts that exist and are not published', () => {
    expect(findStaleExceptions(Object.keys(UNPUBLISHED))).toEqual([]);
    expect(findStaleExceptions(['LabelMoved', 'OrderCompleted'])).toEqual(['LabelMoved', 'OrderCompleted']);
  });

  it('gives a reason for each exception', () => {
    for (const reason of Object.values(UNPUBLISHED)) expect(reason).toMatch(/^[A-Z].+\.$/);
  });
});
