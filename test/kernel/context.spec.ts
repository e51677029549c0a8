import { causedBy, Progress, step } from '../../src/kernel/context.js';
import type { Recorded } from '../../src/kernel/event.js';
import { coinsAdded, contextOf } from '../support/jar.js';

const event: Recorded = { ...coinsAdded('a', '1'), stream: 'jar-a', revision: 0, position: '07' };

describe('The context of a step of a command', () => {
  it('has its own command id, the same in every run', () => {
    const context = contextOf('checkout');
    expect(step(context, 'pay', 1)).toEqual(step(context, 'pay', 1));
    const ids = [context, step(context, 'pay', 1), step(context, 'pay', 2), step(context, 'ship')].map(({ commandId }) => commandId);
    expect(new Set(ids).size).toBe(4);
  });

  it('shares all other values with the command, its consistency context included', () => {
    const context = contextOf('checkout');
    const inner = step(context, 'pay');
    expect({ ...inner, commandId: context.commandId }).toEqual(context);
    inner.progress.wrote('09');
    expect(context.progress.position).toBe('09');
  });
});

describe('The context of a command that an event causes', () => {
  it('has the same command id at every delivery of the event', () => {
    expect(causedBy(event, 'welcome', 'mail')).toEqual(causedBy(event, 'welcome', 'mail'));
    expect(causedBy(event, 'welcome', 'mail').commandId).not.toBe(causedBy(event, 'billing', 'mail').commandId);
  });

  it('has the service as its actor, and the business, mode and time of the event', () => {
    expect(causedBy(event, 'welcome')).toMatchObject({
      at: Date.parse(event.meta.at),
      actor: { type: 'system', id: 'welcome' },
      business: 'biz_1',
      mode: 'test',
      correlationId: 'req_1',
      causationId: event.id,
      progress: { position: '07' },
    });
  });
});

describe('A consistency context', () => {
  it('never moves back to an earlier position', () => {
    const progress = new Progress();
    for (const position of ['02', '05', '03']) progress.wrote(position);
    expect(progress.position).toBe('05');
  });
});
