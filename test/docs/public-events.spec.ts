/*
 * The table in docs/areas/webhooks.md is generated from the public events of the areas. After a change of these, run:
 *   WRITE_DOCS=1 npm test -- test/docs
 */
import '../../src/features.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commerceFeatures } from '../../src/commerce/commerce.module.js';
import { communityFeatures } from '../../src/community/community.module.js';
import { mapPublications } from '../../src/webhooks/processes/publications.js';
import { UNPUBLISHED } from '../webhooks/unpublished-facts.js';
import { expectSection, toTable } from './generated-section.js';

const DOCS = join(import.meta.dirname, '../../docs/areas');

describe('The reference of webhooks', () => {
  it('lists the facts that are published', () =>
    expectSection(
      join(DOCS, 'webhooks.md'),
      'public-events',
      toTable(
        ['fact', 'public event', 'data'],
        [...mapPublications()].flatMap(([fact, all]) => all.map(({ type, schema }) => [fact, type, schema.name])),
      ),
    ));

  it('gives the reason for each fact that is not published', () =>
    expectSection(
      join(DOCS, 'webhooks.md'),
      'unpublished-facts',
      toTable(
        ['facts', 'why they are not published'],
        [...Map.groupBy(Object.entries(UNPUBLISHED), ([, reason]) => reason)].map(([reason, facts]) => [
          facts.map(([fact]) => (fact.endsWith('-*') ? `those of \`${fact}\`` : fact)).join(', '),
          reason,
        ]),
      ),
    ));
});

describe('The reference of an area', () => {
  it.each([
    ['commerce', commerceFeatures],
    ['community', communityFeatures],
  ])('names each public event that %s sends', async (area, features) => {
    const reference = await readFile(join(DOCS, `${area}.md`), 'utf8');
    const events = features.flatMap(({ publicEvents = [] }) => publicEvents);
    const sent = events.filter(({ schema }) => schema !== undefined).map(({ type }) => type);
    expect(sent.filter((type) => !reference.includes(type))).toEqual([]);
  });
});
