import '../../src/features.js';
import { exampleForEvent } from '../../src/http/openapi/examples.js';
import { listEventDescriptions } from '../../src/webhooks/event-catalogue.js';

interface Example {
  readonly status?: string;
}

const examples = listEventDescriptions().flatMap(({ type, data: { schema } }) => {
  const { status } = exampleForEvent(type, schema) as Example;
  const values = (schema.properties as Readonly<Record<string, { readonly enum?: readonly string[] }>>).status?.enum;
  return status === undefined || values === undefined ? [] : [{ type, status, values }];
});

describe('The example of an event', () => {
  it.each(examples)('has the status that its name says: $type', ({ type, status, values }) => {
    const participle = type.slice(type.lastIndexOf('.') + 1);
    if (values.includes(participle)) expect(status).toBe(participle);
  });

  it('has the time of what happened', () => {
    const { data } = listEventDescriptions().find(({ type }) => type === 'cart.order.completed')!;
    expect(exampleForEvent('cart.order.completed', data.schema)).toMatchObject({
      status: 'completed',
      completed_at: expect.any(String) as string,
    });
  });

  it.each([
    ['product.denied', { approval_status: 'denied' }],
    ['invoice.voided', { status: 'void' }],
    ['community.member.left', { status: 'removed' }],
    ['subscription.renewal_failed', { status: 'past_due' }],
  ])('has the status after the event, also under another name: %s', (wanted, expected) => {
    const { data } = listEventDescriptions().find(({ type }) => type === wanted)!;
    expect(exampleForEvent(wanted, data.schema)).toMatchObject(expected);
  });
});
