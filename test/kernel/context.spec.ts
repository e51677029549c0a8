import { causedBy, Progress, step } from '../../src/kernel/context.js';
import type { Recorded } from '../../src/kernel/event.js';
import { coinsAdded, contextOf } from '../support/jar.js';

const event: Recorded = { ...coinsAdded('a', '1'), stream: 'jar-a', revision: 0, position: '07' };

describe('A step of a command', () => {
  it('has a command id of its own, the same in every run', () => {
    const context = contextOf('checkout');
    expect(step(context, 'pay', 1)).toEqual(step(context, 'pay', 1));
    const ids = [context, step(context, 'pay', 1), step(context, 'pay', 2), step(context, 'ship')].map(({ commandId }) => commandId);
    expect(new Set(ids).size).toBe(4);
  });

  it('is otherwise the command, and writes to the same progress', () => {
    const context = contextOf('checkout');
    const inner = step(context, 'pay');
    expect({ ...inner, commandId: context.commandId }).toEqual(context);
    inner.progress.wrote('09');
    expect(context.progress.position).toBe('09');
  });
});

describe('What an event causes', () => {
  it('has the same command id whenever the event comes', () => {
    expect(causedBy(event, 'welcome', 'mail')).toEqual(causedBy(event, 'welcome', 'mail'));
    expect(causedBy(event, 'welcome', 'mail').commandId).not.toBe(causedBy(event, 'billing', 'mail').commandId);
  });

  it('is done by the service, for the business and in the mode of the event, at its time', () => {
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

describe('Progress', () => {
  it('only ever goes on', () => {
    const progress = new Progress();
    for (const position of ['02', '05', '03']) progress.wrote(position);
    expect(progress.position).toBe('05');
  });
});
