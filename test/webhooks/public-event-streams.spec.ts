import { PUBLIC_EVENTS } from '../../src/features.js';
import type { Publication } from '../../src/kernel/public-event-definition.js';
import { findDeclaredEvents } from '../support/declared-events.js';

/** Returns the categories of the streams that hold the facts of each resource, with the public events of each. */
async function groupByResource(publications: readonly Publication[]) {
  const { deciders } = await findDeclaredEvents();
  const categoryOf = (fact: string) => {
    const owners = deciders.filter(({ versions }) => fact in versions).map(({ category }) => category);
    return [...new Set(owners)].join(' or ');
  };
  const resources = Map.groupBy(publications, ({ schema }) => schema.name);
  return [...resources].map(([resource, events]) => ({
    resource,
    categories: [...new Set(events.flatMap(({ fact, also = [] }) => [fact, ...also].map(categoryOf)))],
  }));
}

const publications = PUBLIC_EVENTS.filter((event): event is Publication => 'fact' in event);

describe('The sequence of public events', () => {
  it('counts in one stream for each resource, because all facts of a resource are in streams of one category', async () => {
    const resources = await groupByResource(publications);

    expect(resources.length).toBeGreaterThan(10);
    expect(resources.filter(({ categories }) => categories.length !== 1 || !/^\w+$/.test(categories[0]!))).toEqual([]);
  });

  it('would be found in two streams for a resource with facts of two categories', async () => {
    const [one] = publications;
    const other = publications.find(({ schema }) => schema.name !== one!.schema.name)!;
    const mixed = await groupByResource([one!, { ...other, schema: one!.schema }]);

    expect(mixed[0]!.categories).toHaveLength(2);
  });
});
