import { Plans } from '../../../src/commerce/commands/plans.steps.js';
import { RegisterPlans } from '../../../src/commerce/processes/register-plans.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { createEventContext } from '../../../src/kernel/context.js';
import { EagerClock, SeededRandom } from '../../support/clock.js';
import { createEvent } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { clubPlan, NOW, plan, productCreated } from '../domain/facts.js';

const thirdPlan = { ...plan, planId: 'plan_3' };
const data = { ...productCreated.data, plans: [plan, clubPlan] };
const created = {
  ...createEvent('product', 'ProductCreated', data),
  type: 'ProductCreated',
  data,
  stream: 'product-prod_1',
  revision: 0,
  position: '1',
} as const;

describe('The registration of plans', () => {
  const clock = new EagerClock();
  const store = new MemoryEventStore(clock);
  const plans = new Plans(new Streams(store, clock, new SeededRandom()));
  const registered = () => store.log.map(({ stream }) => stream).sort();

  it('registers a plan that a crash left out, and each plan once', async () => {
    const context = { ...createEventContext(created, 'request'), commandId: created.meta.commandId };
    await plans.register('prod_1', [plan.planId], context);

    await new RegisterPlans(plans).react(created);
    await new RegisterPlans(plans).react(created);
    expect(registered()).toEqual(['paymentPlan-plan_1', 'paymentPlan-plan_2']);
  });

  it('registers an added plan that a crash left out', async () => {
    const added = { ...created, type: 'PlanAdded', data: { productId: 'prod_1', plan: thirdPlan, at: NOW } } as const;

    await new RegisterPlans(plans).react(added);
    expect(registered()).toContain('paymentPlan-plan_3');
  });

  it('finds a plan only for its own business', async () => {
    await expect(plans.requireOwnPlan('plan_1', 'biz_1')).resolves.toBeUndefined();
    await expect(plans.requireOwnPlan('plan_1', 'biz_2')).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(plans.requireOwnPlan('plan_9', 'biz_1')).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
