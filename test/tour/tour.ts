// Shows the main job from end to end, step by step. Node runs this folder without a build, so its imports name the .ts
// files.
import { Receiver } from '../support/receiver.ts';
import { openStage, type Stage } from './stage.ts';
import { Teller } from './teller.ts';
import { verified, type Envelope } from '../support/verified.ts';

const HOOK = '/webhooks';
const RUN = Date.now().toString(36);

const teller = new Teller();
const receiver = await Receiver.start();
const stage = await openStage();
try {
  await play(stage);
  console.log('\nEvery check passed.');
} catch (error) {
  console.error(`\n${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await stage.leave();
  await receiver.stop();
}

async function play(stage: Stage): Promise<void> {
  teller.step(`The caller, on ${stage.where}`);
  await teller.call(stage.seller, { method: 'GET', path: '/v1/auth/me', status: 200 });

  const endpoint = await registerEndpoint(stage);
  await sendTestEvent(stage, endpoint);
  const product = await sellProduct(stage);
  const order = await buy(stage, product);
  const first = await receiveOrder(endpoint, order);
  await replay(stage, endpoint, first);
  await removeEndpoint(stage, endpoint);
}

interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

async function registerEndpoint({ seller }: Stage): Promise<Endpoint> {
  teller.step('Register a receiver as an endpoint');
  const body = { url: receiver.url(HOOK), event_types: ['*'], description: 'The tour' };
  const { id, signing_secret: secret } = await teller.call(seller, { method: 'POST', path: '/v1/webhooks/endpoints', body, status: 201 });
  return { id, secret };
}

async function sendTestEvent({ seller }: Stage, { id, secret }: Endpoint): Promise<void> {
  teller.step('Send a test event');
  const result = await teller.call(seller, {
    method: 'POST',
    path: `/v1/webhooks/endpoints/${id}/test-events`,
    headers: { 'idempotency-key': `tour-test-${RUN}` },
    status: 201,
  });
  teller.holds('the receiver accepted the test event', result.status === 'success');
  const { envelope } = await heard('webhook.test', secret);
  teller.holds('the test event was signed with the secret of the endpoint', envelope.delivery_id === result.delivery_id);
}

async function sellProduct({ seller, reviewer }: Stage): Promise<string> {
  teller.step('Create a product, which waits for its review');
  const monthly = { kind: 'subscription', name: 'Monthly', amount_cents: 4900, currency: 'EUR', interval: 'month' };
  const body = { name: 'Learning Space', plans: [monthly] };
  const { id } = await teller.call(seller, { method: 'POST', path: '/v1/commerce/products', body, status: 201 });
  const pending = await teller.call(seller, { method: 'GET', path: `/v1/commerce/buyer/products/${id}`, status: 200 });
  teller.holds('the product cannot be bought yet', pending.purchase_block_reason === 'pending_approval');

  teller.step('A reviewer approves the product');
  await teller.call(reviewer, { method: 'POST', path: `/v1/commerce/products/${id}/approve`, status: 200 });
  return id;
}

async function buy({ seller }: Stage, product: string): Promise<string> {
  teller.step('Create a cart');
  const cart = await teller.call(seller, {
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
  const line = { product_id: product, quantity: 1 };
  await teller.call(seller, { method: 'POST', path: `/v1/commerce/carts/${cart.id}/lines`, body: line, status: 201 });

  teller.step('Check out; a repeated request with the same idempotency key returns the same order');
  const checkout = {
    method: 'POST',
    path: `/v1/commerce/carts/${cart.id}/checkout`,
    body: { payment_method: { token: 'tok_ok' } },
    headers: { 'idempotency-key': `tour-checkout-${RUN}` },
    status: 201,
  } as const;
  const order = await teller.call(seller, checkout);
  const again = await teller.call(seller, checkout);
  teller.holds('both responses are the same order', again.id === order.id && order.status === 'completed');
  const subscription = order.line_items[0].subscription.id as string;
  await teller.call(seller, { method: 'GET', path: `/v1/commerce/subscriptions/${subscription}`, status: 200 });
  return order.id;
}

async function receiveOrder({ secret }: Endpoint, order: string): Promise<Envelope> {
  teller.step('The receiver gets the order');
  const { envelope, raw } = await heard('cart.order.completed', secret);
  teller.say(`⇐ ${raw}`);
  teller.holds('npm stripe and npm standardwebhooks accept the signature', true);
  teller.holds('the webhook contains this order', envelope.data.id === order);
  return envelope;
}

async function replay({ seller }: Stage, { secret }: Endpoint, first: Envelope): Promise<void> {
  teller.step('Replay the delivery');
  const path = `/v1/webhooks/deliveries/${first.delivery_id}`;
  await teller.await(seller, { method: 'GET', path, status: 200 });
  const headers = { 'idempotency-key': `tour-replay-${RUN}` };
  const again = await teller.call(seller, { method: 'POST', path: `${path}/replay`, headers, status: 201 });
  teller.holds('the new delivery names the replayed delivery', again.replayed_from === first.delivery_id);

  const { envelope } = await heard('cart.order.completed', secret, 2);
  teller.holds('the receiver got the same event, with the same time, in a new attempt', isSameEvent(first, envelope));
}

async function removeEndpoint({ seller }: Stage, { id }: Endpoint): Promise<void> {
  teller.step('Delete the endpoint');
  await teller.call(seller, { method: 'DELETE', path: `/v1/webhooks/endpoints/${id}`, status: 200 });
}

function isSameEvent(first: Envelope, again: Envelope): boolean {
  return again.id === first.id && again.occurred_at === first.occurred_at && again.attempt === first.attempt + 1;
}

/** Waits for the `count`th webhook of this type, and verifies it. */
async function heard(type: string, secret: string, count = 1): Promise<{ envelope: Envelope; raw: string }> {
  const ofType = () => receiver.at(HOOK).filter(({ headers }) => headers['x-service-event-type'] === type);
  await receiver.until(() => ofType().length >= count, `webhook ${count} of ${type}`);
  const received = ofType()[count - 1]!;
  return { envelope: verified(received, secret), raw: received.body };
}
