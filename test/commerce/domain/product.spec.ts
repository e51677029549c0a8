import type { Plan } from '../../../src/commerce/domain/payment-plan.js';
import { productDecider } from '../../../src/commerce/domain/product.js';
import type { ProductEvent, ProductStatus } from '../../../src/commerce/domain/product-events.js';
import { given } from '../../support/given.js';
import { clubPlan, EARLIER, monthly, NOW, once, plan, productCreated, reviewRequested } from './facts.js';

const productId = 'prod_1';
const created = [productCreated, reviewRequested] as const;
const content = { name: 'A course', description: null, metadata: {}, externalReference: null };

const approved = (revision = 1, status: ProductStatus = 'active', at = EARLIER): ProductEvent => ({
  type: 'ProductApproved',
  data: { productId, revision, status, at },
});
const denied = (
  approvalStatus: 'denied' | 'denied_changed',
  status: ProductStatus,
  revision = 1,
  at = EARLIER,
): ProductEvent => ({
  type: 'ProductDenied',
  data: { productId, approvalStatus, reason: 'Not this.', revision, status, at },
});
const edited = (
  changes: object,
  status: ProductStatus,
  revision: number,
  sellerStatus: ProductStatus = 'active',
): ProductEvent => ({
  type: 'ProductEdited',
  data: { productId, changes, sellerStatus, status, revision, at: NOW },
});
const requested: ProductEvent = { type: 'ProductReviewRequested', data: { productId, at: NOW } };

const rename = { type: 'EditProduct', content: { name: 'Another' }, status: null } as const;
const touch = { type: 'EditProduct', content: {}, status: null } as const;
const deny = { type: 'DenyProduct', reason: 'Not this.' } as const;
const approve = { type: 'ApproveProduct' } as const;

describe('A new plan of a product', () => {
  const add = { type: 'AddPlan', terms: monthly } as const;
  const full = { ...productCreated, data: { ...productCreated.data, plans: Array<Plan>(20).fill(plan) } };

  it('is added with an id', () =>
    given(productDecider, ...created)
      .when(add)
      .then({ type: 'PlanAdded', data: { productId, plan: { ...clubPlan, planId: 'plan_1' }, at: NOW } }));

  it('can be archived', () =>
    given(productDecider, ...created, { type: 'PlanAdded', data: { productId, plan: clubPlan, at: EARLIER } })
      .when({ type: 'ArchivePlan', planId: clubPlan.planId })
      .then({ type: 'PlanArchived', data: { productId, planId: clubPlan.planId, at: NOW } }));

  it('leaves an approved product approved', () =>
    given(productDecider, ...created, approved(), {
      type: 'PlanAdded',
      data: { productId, plan: clubPlan, at: EARLIER },
    })
      .when({ type: 'ApproveProduct' })
      .thenNothing());

  it('is refused with a field that its kind does not allow', () =>
    given(productDecider, ...created)
      .when({ ...add, terms: { ...once, interval: 'month' } })
      .thenRejects('validation_failed', 'interval'));

  it('is refused beside 20 others', () =>
    given(productDecider, full).when(add).thenRejects('validation_failed', 'kind'));

  it('is refused beside 199 archived and one active plan', () => {
    const archived: Plan = { ...plan, status: 'archived' };
    const plans = [...Array<Plan>(199).fill(archived), plan];
    const used = { ...productCreated, data: { ...productCreated.data, plans } };
    const almost = { ...used, data: { ...used.data, plans: plans.slice(1) } };
    given(productDecider, used).when(add).thenRejects('validation_failed', 'kind');
    given(productDecider, almost)
      .when(add)
      .then({ type: 'PlanAdded', data: { productId, plan: { ...clubPlan, planId: 'plan_1' }, at: NOW } });
  });

  it('is refused for an unknown product', () => given(productDecider).when(add).thenRejects('not_found'));
});

describe('A plan of a product', () => {
  const archive = { type: 'ArchivePlan', planId: 'plan_1' } as const;
  const archived: ProductEvent = { type: 'PlanArchived', data: { productId, planId: 'plan_1', at: NOW } };

  it('is archived', () =>
    given(productDecider, ...created)
      .when(archive)
      .then(archived));

  it('is archived once', () =>
    given(productDecider, ...created, archived)
      .when(archive)
      .thenNothing());

  it('is refused when it belongs to another product', () =>
    given(productDecider, ...created)
      .when({ ...archive, planId: 'plan_9' })
      .thenRejects('not_found'));
});

describe('A product that does not exist', () => {
  const create = { type: 'CreateProduct', productId, businessId: 'biz_1', mode: 'live', ...content } as const;

  it('is created active and in review, with ids for its plans', () =>
    given(productDecider)
      .when({ ...create, plans: [once] })
      .then(
        {
          type: 'ProductCreated',
          data: { productId, businessId: 'biz_1', mode: 'live', ...content, plans: [plan], at: NOW },
        },
        requested,
      ));

  it('is not created twice', () =>
    given(productDecider, ...created)
      .when({ ...create, plans: [] })
      .thenNothing());

  it('refuses a subscription without an interval and a one-time plan with an interval', () => {
    given(productDecider)
      .when({ ...create, plans: [once, { ...monthly, interval: null }] })
      .thenRejects('validation_failed', 'plans[1].interval');
    given(productDecider)
      .when({ ...create, plans: [{ ...once, interval: 'month' }] })
      .thenRejects('validation_failed', 'plans[0].interval');
  });

  it('refuses an installment plan without the number of installments', () =>
    given(productDecider)
      .when({ ...create, plans: [{ ...monthly, kind: 'installment' }] })
      .thenRejects('validation_failed', 'plans[0].installments_count'));

  it('cannot be changed or reviewed', () => {
    for (const command of [rename, approve, deny]) given(productDecider).when(command).thenRejects('not_found');
  });
});

describe('A product in review', () => {
  it('is approved with the status that the seller chose', () =>
    given(productDecider, ...created)
      .when(approve)
      .then(approved(1, 'active', NOW)));

  it('is denied and keeps its status', () =>
    given(productDecider, ...created)
      .when(deny)
      .then(denied('denied', 'active', 1, NOW)));

  it('becomes inactive when it is edited', () =>
    given(productDecider, ...created)
      .when(rename)
      .then(edited({ name: 'Another' }, 'inactive', 2)));

  it('becomes inactive also when the edit sets active', () =>
    given(productDecider, ...created)
      .when({ ...rename, status: 'active' })
      .then(edited({ name: 'Another' }, 'inactive', 2)));

  it('records no event for the same edit again', () =>
    given(productDecider, ...created, edited({ name: 'Another' }, 'inactive', 2))
      .when(rename)
      .thenNothing());

  it('becomes active again when approved after an edit', () =>
    given(productDecider, ...created, edited({ name: 'Another' }, 'inactive', 2))
      .when(approve)
      .then(approved(2, 'active', NOW)));

  it("keeps the seller's own deactivation when approved", () =>
    given(productDecider, ...created, edited({}, 'inactive', 2, 'inactive'))
      .when(approve)
      .then(approved(2, 'inactive', NOW)));

  it('is denied as denied_changed after an earlier approval', () =>
    given(
      productDecider,
      ...created,
      approved(),
      edited({ name: 'B' }, 'active', 2),
      denied('denied_changed', 'inactive', 2),
      reviewRequested,
    )
      .when(deny)
      .then(denied('denied_changed', 'inactive', 2, NOW)));
});

describe('A denied product', () => {
  const history = [...created, denied('denied', 'active')] as const;

  it('becomes inactive and returns to review with an edit', () =>
    given(productDecider, ...history)
      .when(rename)
      .then(edited({ name: 'Another' }, 'inactive', 2), requested));

  it('returns to review with an edit that changes no field', () =>
    given(productDecider, ...history)
      .when(touch)
      .then(edited({}, 'inactive', 1), requested));

  it('refuses an approval and a denial', () => {
    given(productDecider, ...history)
      .when(approve)
      .thenRejects('product_not_in_review');
    given(productDecider, ...history)
      .when(deny)
      .thenRejects('product_not_in_review');
  });
});

describe('An approved product', () => {
  const history = [...created, approved()] as const;

  it('changes at once with a new revision and stays approved', () =>
    given(productDecider, ...history)
      .when(rename)
      .then(edited({ name: 'Another' }, 'active', 2)));

  it('takes the status in the edit', () =>
    given(productDecider, ...history)
      .when({ ...touch, status: 'inactive' })
      .then(edited({}, 'inactive', 2, 'inactive')));

  it('keeps its revision when only the metadata changes', () =>
    given(productDecider, ...history)
      .when({ type: 'EditProduct', content: { metadata: { a: 1 } }, status: null })
      .then(edited({ metadata: { a: 1 } }, 'active', 1)));

  it('records no event when no field changes', () =>
    given(productDecider, ...history)
      .when(touch)
      .thenNothing());

  it('is approved again only for a new revision', () => {
    given(productDecider, ...history)
      .when(approve)
      .thenNothing();
    given(productDecider, ...history, edited({ name: 'Another' }, 'active', 2))
      .when(approve)
      .then(approved(2, 'active', NOW));
  });

  it('is denied only after a change', () => {
    given(productDecider, ...history)
      .when(deny)
      .thenRejects('product_not_in_review');
    given(productDecider, ...history, edited({ name: 'Another' }, 'active', 2))
      .when(deny)
      .then(denied('denied_changed', 'inactive', 2, NOW));
  });

  it('returns to review after a denied change and becomes active when approved', () => {
    const refused = [...history, edited({ name: 'B' }, 'active', 2), denied('denied_changed', 'inactive', 2)] as const;
    given(productDecider, ...refused)
      .when(touch)
      .then(requested);
    given(productDecider, ...refused, requested)
      .when(approve)
      .then(approved(2, 'active', NOW));
  });
});
