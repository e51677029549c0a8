// Shows the main job from end to end, step by step. Node runs this folder without a build, so its imports name the .ts
// files.
import { Receiver } from '../support/receiver.ts';
import { verifyWebhook, type WebhookEnvelope } from '../support/verify-webhook.ts';
import { openEnvironment, type TourEnvironment } from './tour-environment.ts';
import { TourReporter } from './tour-reporter.ts';

const HOOK = '/webhooks';
const RUN = Date.now().toString(36);

const reporter = new TourReporter();
const receiver = await Receiver.start();
const environment = await openEnvironment();
try {
  await runTour(environment);
  console.log('\nEvery check passed.');
} catch (error) {
  console.error(`\n${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await environment.close();
  await receiver.stop();
}

async function runTour(environment: TourEnvironment): Promise<void> {
  reporter.step(`The caller, on ${environment.location}`);
  await reporter.call(environment.seller, { method: 'GET', path: '/v1/auth/me', status: 200 });

  const endpoint = await registerEndpoint(environment);
  await sendTestEvent(environment, endpoint);
  const product = await sellProduct(environment);
  const order = await buy(environment, product);
  const first = await receiveOrder(endpoint, order.id);
  await replay(environment, endpoint, first);
  await refund(environment, order);
  await changePlan(environment, order, product);
  await removeEndpoint(environment, endpoint);
}

interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

async function registerEndpoint({ seller }: TourEnvironment): Promise<Endpoint> {
  reporter.step('Register a receiver as an endpoint');
  const body = { url: receiver.url(HOOK), event_types: ['*'], description: 'The tour' };
  const { id, signing_secret: secret } = await reporter.call(seller, {
    method: 'POST',
    path: '/v1/webhooks/endpoints',
    body,
    status: 201,
  });
  return { id, secret };
}

async function sendTestEvent({ seller }: TourEnvironment, { id, secret }: Endpoint): Promise<void> {
  reporter.step('Send a test event');
  const result = await reporter.call(seller, {
    method: 'POST',
    path: `/v1/webhooks/endpoints/${id}/test-events`,
    headers: { 'idempotency-key': `tour-test-${RUN}` },
    status: 201,
  });
  reporter.check('the receiver accepted the test event', result.status === 'success');
  const { envelope } = await awaitWebhook('webhook.test', secret);
  reporter.check(
    'the test event was signed with the secret of the endpoint',
    envelope.delivery_id === result.delivery_id,
  );
}

interface Product {
  readonly id: string;
  /** The plan that is billed each year. */
  readonly yearlyPlan: string;
}

async function sellProduct({ seller, reviewer }: TourEnvironment): Promise<Product> {
  reporter.step('Create a product, which waits for its review');
  const monthly = { kind: 'subscription', name: 'Monthly', amount_cents: 4900, currency: 'EUR', interval: 'month' };
  const yearly = { kind: 'subscription', name: 'Yearly', amount_cents: 49_000, currency: 'EUR', interval: 'year' };
  const body = { name: 'Learning Space', plans: [monthly, yearly] };
  const { id, plans } = await reporter.call(seller, {
    method: 'POST',
    path: '/v1/commerce/products',
    body,
    status: 201,
  });
  const pending = await reporter.call(seller, {
    method: 'GET',
    path: `/v1/commerce/buyer/products/${id}`,
    status: 200,
  });
  reporter.check('the product cannot be bought yet', pending.purchase_block_reason === 'pending_approval');

  reporter.step('A reviewer approves the product');
  await reporter.call(reviewer, { method: 'POST', path: `/v1/commerce/products/${id}/approve`, status: 200 });
  return { id, yearlyPlan: plans[1].id };
}

interface Order {
  readonly id: string;
  readonly payment: string;
  readonly subscription: string;
}

async function buy({ seller }: TourEnvironment, product: Product): Promise<Order> {
  reporter.step('Create a cart');
  const cart = await reporter.call(seller, {
    method: 'POST',
    path: '/v1/commerce/carts',
    body: {
      currency: 'EUR',
      buyer: { email: 'ada@example.com', name: 'Ada' },
      metadata: { campaign: 'tour' },
      redirect_url: 'https://shop.example.com/thanks',
    },
    status: 201,
  });
  const line = { product_id: product.id, quantity: 1 };
  await reporter.call(seller, { method: 'POST', path: `/v1/commerce/carts/${cart.id}/lines`, body: line, status: 201 });

  reporter.step('Check out; a repeated request with the same idempotency key returns the same order');
  const checkout = {
    method: 'POST',
    path: `/v1/commerce/carts/${cart.id}/checkout`,
    body: { payment_method: { token: 'tok_ok' } },
    headers: { 'idempotency-key': `tour-checkout-${RUN}` },
    status: 201,
  } as const;
  const order = await reporter.call(seller, checkout);
  const again = await reporter.call(seller, checkout);
  reporter.check('both responses are the same order', again.id === order.id && order.status === 'completed');
  const subscription = order.line_items[0].subscription.id as string;
  await reporter.call(seller, { method: 'GET', path: `/v1/commerce/subscriptions/${subscription}`, status: 200 });
  return { id: order.id, payment: order.payments[0].id, subscription };
}

async function receiveOrder({ secret }: Endpoint, order: string): Promise<WebhookEnvelope> {
  reporter.step('The receiver gets the order');
  const { envelope, raw } = await awaitWebhook('cart.order.completed', secret);
  reporter.print(`⇐ ${raw}`);
  reporter.check('npm stripe and npm standardwebhooks accept the signature', true);
  reporter.check('the webhook contains this order', envelope.data.id === order);
  return envelope;
}

async function replay({ seller }: TourEnvironment, { secret }: Endpoint, first: WebhookEnvelope): Promise<void> {
  reporter.step('Replay the delivery');
  const path = `/v1/webhooks/deliveries/${first.delivery_id}`;
  await reporter.callWhenFound(seller, { method: 'GET', path, status: 200 });
  const headers = { 'idempotency-key': `tour-replay-${RUN}` };
  const again = await reporter.call(seller, { method: 'POST', path: `${path}/replay`, headers, status: 201 });
  reporter.check('the new delivery names the replayed delivery', again.replayed_from === first.delivery_id);

  const { envelope } = await awaitWebhook('cart.order.completed', secret, 2);
  reporter.check('the receiver got the same event, with the same time, in a new attempt', isSameEvent(first, envelope));
}

async function refund({ seller }: TourEnvironment, { id, payment }: Order): Promise<void> {
  reporter.step('Refund a part of the payment');
  await reporter.call(seller, {
    method: 'POST',
    path: `/v1/commerce/payments/${payment}/refunds`,
    body: { amount_cents: 900, reason: 'requested_by_customer' },
    headers: { 'idempotency-key': `tour-refund-${RUN}` },
    status: 201,
  });
  const order = await reporter.call(seller, { method: 'GET', path: `/v1/commerce/orders/${id}`, status: 200 });
  reporter.check(
    'the order shows the refund',
    order.refunded_amount_cents === 900 && order.refund_status === 'partial',
  );
}

/** Only a test key can set the clock of its business. */
async function changePlan({ seller }: TourEnvironment, order: Order, { yearlyPlan }: Product): Promise<void> {
  reporter.step('Change the plan of the subscription: it is billed at the next renewal');
  const path = `/v1/commerce/subscriptions/${order.subscription}`;
  const plan = { plan_id: yearlyPlan };
  const changed = await reporter.call(seller, { method: 'POST', path: `${path}/plan`, body: plan, status: 200 });
  reporter.check('the change is pending', changed.pending_change.plan.id === yearlyPlan);

  const { mode } = await reporter.call(seller, { method: 'GET', path: '/v1/auth/me', status: 200 });
  if (mode === 'live') return reporter.print('The test clock needs a test key: the renewal is left out.');
  reporter.step('Set the test clock to the renewal, which runs before the response');
  const body = { now: changed.next_billing_at };
  await reporter.call(seller, { method: 'PUT', path: '/v1/commerce/test-clock', body, status: 200 });
  const renewed = await reporter.call(seller, { method: 'GET', path, status: 200 });
  reporter.check('the renewal billed the new plan', renewed.plan.id === yearlyPlan && renewed.pending_change === null);

  reporter.step('List the changes of the subscription');
  const [change] = await reporter.call(seller, { method: 'GET', path: `${path}/changes`, status: 200 });
  reporter.check(
    'the change names the payment that confirmed it',
    change.status === 'applied' && change.confirmed_by.id,
  );
}

async function removeEndpoint({ seller }: TourEnvironment, { id }: Endpoint): Promise<void> {
  reporter.step('Delete the endpoint');
  await reporter.call(seller, { method: 'DELETE', path: `/v1/webhooks/endpoints/${id}`, status: 200 });
}

function isSameEvent(first: WebhookEnvelope, again: WebhookEnvelope): boolean {
  return again.id === first.id && again.occurred_at === first.occurred_at && again.attempt === first.attempt + 1;
}

/** Waits for the `count`th webhook of this type, and verifies it. */
async function awaitWebhook(
  type: string,
  secret: string,
  count = 1,
): Promise<{ envelope: WebhookEnvelope; raw: string }> {
  const ofType = () => receiver.requestsFor(HOOK).filter(({ headers }) => headers['x-service-event-type'] === type);
  await receiver.waitUntil(() => ofType().length >= count, `webhook ${count} of ${type}`);
  const received = ofType()[count - 1]!;
  return { envelope: verifyWebhook(received, secret), raw: received.body };
}
