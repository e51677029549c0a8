import { ConsistencyContext, createChildContext, createEventContext } from '../../src/kernel/context.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { coinsAdded, createContext } from '../support/jar.js';

const event: RecordedEvent = { ...coinsAdded('a', '1'), stream: 'jar-a', revision: 0, position: '07' };

describe('The context of a step of a command', () => {
  it('has its own command id, the same in every run', () => {
    const context = createContext('checkout');
    expect(createChildContext(context, 'pay', 1)).toEqual(createChildContext(context, 'pay', 1));
    const ids = [
      context,
      createChildContext(context, 'pay', 1),
      createChildContext(context, 'pay', 2),
      createChildContext(context, 'ship'),
    ].map(({ commandId }) => commandId);
    expect(new Set(ids).size).toBe(4);
  });

  it('shares all other values with the command, its consistency context included', () => {
    const context = createContext('checkout');
    const inner = createChildContext(context, 'pay');
    expect({ ...inner, commandId: context.commandId }).toEqual(context);
    inner.consistency.recordWrite('09');
    expect(context.consistency.position).toBe('09');
  });
});

describe('The context of a command that an event causes', () => {
  it('has the same command id at every delivery of the event', () => {
    expect(createEventContext(event, 'welcome', 'mail')).toEqual(createEventContext(event, 'welcome', 'mail'));
    expect(createEventContext(event, 'welcome', 'mail').commandId).not.toBe(
      createEventContext(event, 'billing', 'mail').commandId,
    );
  });

  it('has the service as its actor, and the business, mode and time of the event', () => {
    expect(createEventContext(event, 'welcome')).toMatchObject({
      at: Date.parse(event.meta.at),
      actor: { type: 'system', id: 'welcome' },
      business: 'biz_1',
      mode: 'test',
      correlationId: 'req_1',
      causationId: event.id,
      consistency: { position: '07' },
    });
  });
});

describe('A consistency context', () => {
  it('never moves back to an earlier position', () => {
    const progress = new ConsistencyContext();
    for (const position of ['02', '05', '03']) progress.recordWrite(position);
    expect(progress.position).toBe('05');
  });
});
