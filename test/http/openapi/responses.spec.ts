import { auditEvents } from '../../../src/audit/projections/audit-events.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { toDocumentIds } from '../../../src/kernel/projection.js';
import { recordInvite } from '../../community/recorded-invite.js';
import { type Api, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { Receiver } from '../../support/receiver.js';
import { hang, respondWith } from '../../support/receiver-responses.js';
import { type Service, startService } from '../../support/service.js';
import { ExampleClient } from '../support/example-client.js';
import { closeSchema, type Json, OpenApiClient } from '../support/openapi-client.js';

const SUBSCRIPTION = { kind: 'subscription', amount_cents: 4900, currency: 'EUR', interval: 'month' };

const hasEntry = (event: RecordedEvent) => toDocumentIds(auditEvents, event).length > 0;

let service: Service;
let receiver: Receiver;
let description: OpenApiClient;
let consumer: ExampleClient;
let seller: Api;
let owner: Api;
let tester: Api;
let reviewer: Api;
beforeAll(async () => {
  receiver = await Receiver.start();
  service = await startService({
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_TIMEOUT_MS: '2000',
  });
  description = await OpenApiClient.read(service);
  consumer = new ExampleClient(description);
  const business = await service.createBusiness();
  seller = service.createApi(await service.createKey(business));
  tester = service.createApi(await service.createKey(business, { mode: 'test' }));
  const session = service.createApi(await service.signToken('owner', { email: 'ada@example.com' }));
  owner = session.withHeaders({ 'x-service-business-id': business.id });
  reviewer = service.createApi(await service.signToken('reviewer', { reviewer: true }));
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

/** Sends the example requests of the document, in an order in which they succeed. */
describe('The documented responses', () => {
  it('are correct for identity', async () => {
    await consumer.call(owner, 'createBusiness');
    await consumer.call(owner, 'listBusinesses');
    for (const api of [owner, seller]) await consumer.call(api, 'retrieveCaller');
    const { id } = await consumer.call(owner, 'createApiKey');
    await consumer.call(owner, 'rotateApiKey', { path: { id } });
    await consumer.call(owner, 'retrieveApiKey', { path: { id } });
    await consumer.call(owner, 'revokeApiKey', { path: { id } });
    await consumer.call(owner, 'listApiKeys');
  });

  it('are correct for webhooks', async () => {
    const { id } = await consumer.call(seller, 'createEndpoint', {
      body: { url: receiver.url('/'), event_types: ['*'] },
    });
    await consumer.call(seller, 'retrieveEndpoint', { path: { id } });
    await consumer.call(seller, 'listEndpoints');
    const { delivery_id } = await consumer.call(seller, 'sendTestEvent', { path: { id } });
    await consumer.call(seller, 'retrieveDelivery', { path: { delivery_id } });
    await consumer.call(seller, 'rotateSecretOfEndpoint', { path: { id } });

    await consumer.call(seller, 'createProduct');
    const delivered = () => consumer.call(seller, 'listDeliveries', { query: '?test=false&status=success' });
    const [delivery] = await eventually(delivered, (records) => records.length > 0);
    await consumer.call(seller, 'replayDelivery', { path: { delivery_id: delivery.id } });
    for (const part of ['AttemptsOf', 'RequestOf', 'ResponseTo'])
      await consumer.call(seller, `retrieve${part}Delivery`, { path: { delivery_id: delivery.id } });
    await consumer.call(seller, 'retrieveStatisticsOfEndpoint', { path: { id } });
    await consumer.call(seller, 'retrieveStatisticsOfEndpointHourByHour', { path: { id } });
    await consumer.call(seller, 'listPublicEvents');
    await consumer.call(seller, 'streamPublicEvents');
    await consumer.call(seller, 'retrievePublicEvent', { path: { id: delivery.event_id } });
    await consumer.call(seller, 'editEndpoint', { path: { id } });
    await consumer.call(seller, 'deleteEndpoint', { path: { id } });
    await consumer.call(seller, 'listEventTypes');
    await consumer.call(seller, 'retrieveEventType', { path: { id: 'cart.order.completed' } });
    await consumer.call(seller, 'retrieveSchemaOfEventType', { path: { id: 'cart.order.completed' } });
  });

  it('are correct for replay jobs', async () => {
    receiver.setResponses('/held', respondWith(400), hang());
    const { id: endpoint_id } = await consumer.call(seller, 'createEndpoint', {
      body: { url: receiver.url('/held'), event_types: ['*'] },
    });
    await consumer.call(seller, 'createProduct');
    const refused = () => consumer.call(seller, 'listDeliveries', { query: `?endpoint_id=${endpoint_id}` });
    await eventually(refused, (records) => records.length > 0);

    const body = {
      created_from: new Date().toISOString().slice(0, 10),
      created_to: undefined,
      endpoint_id,
      event_types: [],
    };
    await consumer.call(seller, 'createReplayJob', { body: { ...body, dry_run: true } });
    const { id } = await consumer.call(seller, 'createReplayJob', { body: { ...body, dry_run: false } });
    await receiver.waitForRequests('/held', 2);
    await consumer.call(seller, 'cancelReplayJob', { path: { id } });
    await consumer.call(seller, 'retrieveReplayJob', { path: { id } });
    await consumer.call(seller, 'listReplayJobs');
  });

  it('are correct for products', async () => {
    const { id } = await consumer.call(seller, 'createProduct');
    await consumer.call(reviewer, 'approveProduct', { path: { id } });
    await consumer.call(seller, 'editProduct', { path: { id }, body: { name: 'Another name' } });
    await consumer.call(seller, 'retrieveProduct', { path: { id } });
    await consumer.call(seller, 'retrieveProductAsBuyer', { path: { id } });
    const priced = await consumer.call(seller, 'createProduct', { body: { plans: [SUBSCRIPTION] } });
    await consumer.call(seller, 'addPlanToProduct', { path: { id: priced.id }, body: SUBSCRIPTION });
    await consumer.call(seller, 'archivePlan', { path: { id: priced.id, plan_id: priced.plans[0].id } });
    const { images } = await consumer.call(seller, 'addImageToProduct', { path: { id } });
    await consumer.call(seller, 'removeImageFromProduct', { path: { id, image_id: images[0].id } });
    const { attachments } = await consumer.call(seller, 'addAttachmentToProduct', { path: { id } });
    const attachment = { id, attachment_id: attachments[0].id };
    await consumer.call(seller, 'removeAttachmentFromProduct', { path: attachment });
    await consumer.call(reviewer, 'listProductsToReview');
    const denied = await consumer.call(seller, 'createProduct');
    await consumer.call(reviewer, 'denyProduct', { path: { id: denied.id } });
    await consumer.call(seller, 'listProducts');
  });

  it('are correct for discounts', async () => {
    const { id } = await consumer.call(seller, 'createDiscount', { body: { code: 'SPRING' } });
    await consumer.call(seller, 'listDiscounts');
    await consumer.call(seller, 'deleteDiscount', { path: { id } });
  });

  it('are correct for offers', async () => {
    const product = await consumer.call(tester, 'createProduct', { body: { plans: [SUBSCRIPTION] } });
    await consumer.call(reviewer, 'approveProduct', { path: { id: product.id } });
    await consumer.call(tester, 'setTestClock', { body: { now: '2098-01-01' } });
    const body = { product_id: product.id, plan_id: null, expires_at: null, send: false };
    const { id } = await consumer.call(tester, 'createOffer', { body });
    await consumer.call(tester, 'sendOffer', { path: { id } });
    await consumer.call(tester, 'setTestClock', { body: { now: '2098-01-02' } });
    await consumer.call(tester, 'resendOffer', { path: { id } });
    for (const operation of ['cancelOffer', 'retrieveOffer']) await consumer.call(tester, operation, { path: { id } });
    await consumer.call(tester, 'listOffers', { query: '' });
  });

  it('are correct for the test clock', async () => {
    await consumer.call(tester, 'setTestClock', { body: { now: '2099-01-01' } });
    await consumer.call(tester, 'retrieveTestClock');
  });

  it('are correct for disputes', async () => {
    const product = await consumer.call(tester, 'createProduct', { body: { plans: [SUBSCRIPTION] } });
    await consumer.call(reviewer, 'approveProduct', { path: { id: product.id } });
    const { id } = await consumer.call(tester, 'createCart');
    await consumer.call(tester, 'addLineToCart', { path: { id }, body: { product_id: product.id } });
    const body = { payment_method: { token: 'tok_disputed' } };
    await consumer.call(tester, 'checkOutCart', { path: { id }, body });
    await consumer.call(tester, 'setTestClock', { body: { now: '2099-01-03' } });
    const [dispute] = await consumer.call(tester, 'listDisputes', { query: '' });
    const path = { id: dispute.id as string };
    await consumer.call(tester, 'retrieveDispute', { path });
    await consumer.call(tester, 'closeDispute', { path, body: { status: 'won' } });
  });

  it('are correct for a sale', async () => {
    const product = await consumer.call(seller, 'createProduct', { body: { plans: [SUBSCRIPTION] } });
    await consumer.call(reviewer, 'approveProduct', { path: { id: product.id } });
    const { id } = await consumer.call(seller, 'createCart');
    const { lines } = await consumer.call(seller, 'addLineToCart', { path: { id }, body: { product_id: product.id } });
    const line = { path: { id, line_id: lines[0].id as string } };
    await consumer.call(seller, 'changeLineOfCart', { ...line, body: { quantity: 2 } });
    await consumer.call(seller, 'removeLineFromCart', line);
    await consumer.call(seller, 'addLineToCart', { path: { id }, body: { product_id: product.id } });
    await consumer.call(seller, 'editCart', { path: { id }, body: { currency: undefined, metadata: { gift: 'yes' } } });
    await consumer.call(seller, 'retrieveCart', { path: { id } });

    const order = await consumer.call(seller, 'checkOutCart', { path: { id } });
    const sold = {
      Order: order,
      Payment: order.payments[0],
      Invoice: order.invoice,
      Subscription: order.line_items[0].subscription,
    };
    for (const [noun, one] of Object.entries(sold))
      await consumer.call(seller, `retrieve${noun}`, { path: { id: one.id } });
    await callSubscriptionOperations(order.line_items[0].subscription.id, product.id);
    await callInstallmentOperations();
    const [buyer] = await consumer.call(seller, 'listBuyers', { query: '' });
    for (const read of ['retrieveBuyer', 'retrievePersonalDataOfBuyer'])
      await consumer.call(seller, read, { path: { id: buyer.id } });
    const erasure = { path: { id: buyer.id }, query: '?end_charges=true' };
    await consumer.call(seller, 'erasePersonalDataOfBuyer', erasure);
    const refund = await consumer.call(seller, 'refundPayment', {
      path: { id: sold.Payment.id },
      body: { amount_cents: 100, currency: 'EUR' },
    });
    await consumer.call(seller, 'retrieveRefund', { path: { id: refund.id } });
    await consumer.call(seller, 'payOut', { body: { amount_cents: 100, currency: 'EUR' } });
    await consumer.call(seller, 'retrieveBalance');
    for (const list of ['CompletedOrders', 'Payments', 'Refunds', 'Payouts', 'Invoices', 'Subscriptions'])
      await consumer.call(seller, `list${list}`);
  });

  async function callInstallmentOperations(): Promise<void> {
    const plans = [{ ...SUBSCRIPTION, kind: 'installment', installments_count: 3 }];
    const product = await consumer.call(seller, 'createProduct', { body: { plans } });
    await consumer.call(reviewer, 'approveProduct', { path: { id: product.id } });
    const { id } = await consumer.call(seller, 'createCart');
    await consumer.call(seller, 'addLineToCart', { path: { id }, body: { product_id: product.id } });
    const order = await consumer.call(seller, 'checkOutCart', { path: { id } });
    const path = { id: order.id };
    await consumer.call(seller, 'changePaymentMethodOfInstallmentsOfOrder', {
      path,
      body: { token: 'tok_fail_on_renewal' },
    });
    await consumer.call(seller, 'cancelInstallmentsOfOrder', { path });
  }

  async function callSubscriptionOperations(id: string, productId: string): Promise<void> {
    const { plans } = await consumer.call(seller, 'addPlanToProduct', {
      path: { id: productId },
      body: { ...SUBSCRIPTION, interval: 'year' },
    });
    const path = { id };
    await consumer.call(seller, 'changePriceOfSubscription', { path, body: { amount_cents: 5900 } });
    await consumer.call(seller, 'changePlanOfSubscription', { path, body: { plan_id: plans.at(-1).id } });
    await consumer.call(seller, 'withdrawPendingChangeOfSubscription', { path });
    await consumer.call(seller, 'listChangesOfSubscription', { path });
    await consumer.call(seller, 'pauseSubscription', { path, body: { resumes_at: null } });
    await consumer.call(seller, 'resumeSubscription', { path });
    await consumer.call(seller, 'changePaymentMethodOfSubscription', { path, body: { token: 'tok_fail_on_renewal' } });
    await consumer.call(seller, 'cancelSubscription', { path });
    await consumer.call(seller, 'revokeCancellationOfSubscription', { path });
  }

  it('are correct for the community', async () => {
    const { id } = await consumer.call(owner, 'createCommunity');
    const otherBusiness = service.createApi(await service.signToken('stranger'));
    for (const api of [owner, otherBusiness]) await consumer.call(api, 'retrieveCommunity', { path: { id } });
    await consumer.call(owner, 'listCommunities');
    const post = await consumer.call(owner, 'createPost', { path: { id } });
    await consumer.call(owner, 'retrievePost', { path: { post_id: post.id } });
    const source = { source_type: 'quiz', source_id: '1' };
    for (let time = 0; time < 2; time++) await consumer.call(owner, 'awardPoints', { path: { id }, body: source });
  });

  it('are correct for posts', async () => {
    const community = await consumer.call(owner, 'createCommunity');
    const { id } = await consumer.call(owner, 'createPost', { path: { id: community.id } });
    const path = { path: { post_id: id } };
    const edited = { ...path, body: { content: 'Another text' } };
    for (const change of ['editPost', 'likePost', 'unlikePost']) await consumer.call(owner, change, edited);
    const comment = await consumer.call(owner, 'commentOnPost', { ...path, body: { parent_comment_id: null } });
    await consumer.call(owner, 'listComments', path);
    await consumer.call(owner, 'deleteComment', { path: { comment_id: comment.id } });
    await consumer.call(owner, 'listPosts', { path: { id: community.id } });
    for (const change of ['deletePost', 'restorePost']) await consumer.call(owner, change, path);
  });

  it('are correct for channels and messages', async () => {
    const community = await consumer.call(owner, 'createCommunity');
    const { id } = await consumer.call(owner, 'createChannel', { path: { id: community.id } });
    const path = { path: { channel_id: id } };
    await consumer.call(owner, 'listChannels', { path: { id: community.id } });
    const edited = { ...path, body: { name: 'Another channel' } };
    for (const use of ['retrieveChannel', 'editChannel']) await consumer.call(owner, use, edited);
    const message = await consumer.call(owner, 'sendMessage', { ...path, body: { reply_to: null } });
    await consumer.call(owner, 'listMessages', path);
    for (const use of ['retrieveMessage', 'editMessage', 'deleteMessage'])
      await consumer.call(owner, use, { path: { message_id: message.id }, body: { content: 'Another text' } });
    await consumer.call(owner, 'deleteChannel', path);
  });

  it('are correct for challenges', async () => {
    const community = await consumer.call(owner, 'createCommunity');
    const { id } = await consumer.call(owner, 'createChallenge', { path: { id: community.id } });
    const path = { path: { challenge_id: id } };
    await consumer.call(owner, 'listChallenges', { path: { id: community.id } });
    for (const use of ['retrieveChallenge', 'joinChallenge', 'retrieveChallengeProgress', 'editChallenge'])
      await consumer.call(owner, use, { ...path, body: { title: 'Another title' } });
    await consumer.call(owner, 'cancelChallenge', path);
  });

  it('are correct for the library', async () => {
    const community = await consumer.call(owner, 'createCommunity');
    const { id } = await consumer.call(owner, 'addLibraryResource', { path: { id: community.id } });
    await consumer.call(owner, 'listLibraryResources', { path: { id: community.id } });
    for (const use of ['retrieveLibraryResource', 'editLibraryResource', 'recordDownload', 'deleteLibraryResource'])
      await consumer.call(owner, use, { path: { resource_id: id }, body: { title: 'Another title' } });
  });

  it('are correct for invites', async () => {
    const community = await consumer.call(owner, 'createCommunity');
    const invite = (email: string) =>
      consumer.call(owner, 'createInvite', { path: { id: community.id }, body: { email, expires_at: undefined } });
    const { id: invite_id } = await invite('invited@example.com');
    await invite('invited@example.com');
    await consumer.call(owner, 'listInvites', { path: { id: community.id } });
    await consumer.call(owner, 'retrieveInvite', { path: { invite_id } });
    const invitee = service.createApi(await service.signToken('invited', { email: 'invited@example.com' }));
    await consumer.call(invitee, 'listOwnInvites');
    await consumer.call(invitee, 'acceptInvite', { path: { invite_id } });

    const old = await recordInvite(service, community.id, 'another');
    await consumer.call(owner, 'resendInvite', { path: { invite_id: old } });
    await consumer.call(owner, 'revokeInvite', { path: { invite_id: old } });
    const declined = await invite('third@example.com');
    await consumer.call(seller, 'declineInvite', { path: { invite_id: declined.id } });
  });

  it('are correct for points', async () => {
    const { id } = await consumer.call(owner, 'createCommunity');
    const award = await consumer.call(owner, 'awardPoints', { path: { id } });
    const path = { path: { id, award_id: award.id } };
    for (let time = 0; time < 2; time++) await consumer.call(owner, 'reversePoints', path);
    await consumer.call(owner, 'listPoints', { path: { id }, query: '' });
    await consumer.call(owner, 'awardPoints', { path: { id } });
    await consumer.call(owner, 'showLeaderboard', { path: { id } });
  });

  it('are correct for members', async () => {
    const { id } = await consumer.call(owner, 'createCommunity');
    const joiner = service.createApi(await service.signToken('joiner', { email: 'joan@example.com' }));
    for (let time = 0; time < 2; time++) await consumer.call(joiner, 'joinCommunity', { path: { id } });
    const [member] = await consumer.call(owner, 'listMembers', { path: { id }, query: '' });
    const path = { path: { id, user_id: member.user.id } };
    for (const use of ['retrieveMember', 'assignExpertBadge', 'removeExpertBadge', 'changeMember'])
      await consumer.call(owner, use, path);
    await consumer.call(owner, 'changeMember', { ...path, body: { role: 'moderator', status: 'active' } });
    const imported = await consumer.call(owner, 'importMembers', { path: { id } });
    await consumer.call(owner, 'retrieveMemberImport', { path: { id, import_id: imported.id } });
    await consumer.call(joiner, 'leaveCommunity', { path: { id } });
    await consumer.call(joiner, 'joinCommunity', { path: { id } });
    await consumer.call(owner, 'transferCommunity', { path: { id }, body: { user_id: member.user.id } });
    const other = await consumer.call(owner, 'createCommunity');
    await consumer.call(owner, 'editCommunity', {
      path: { id: other.id },
      body: { name: 'Another name', levels: undefined },
    });
    await consumer.call(joiner, 'joinCommunity', { path: { id: other.id } });
    await consumer.call(owner, 'removeMember', { path: { id: other.id, user_id: member.user.id } });
    await consumer.call(owner, 'archiveCommunity', { path: { id: other.id } });
  });

  it('are correct for onboarding', async () => {
    const { id } = await consumer.call(owner, 'createCommunity');
    const task = await consumer.call(owner, 'addOnboardingTask', { path: { id }, body: { key: 'rules' } });
    await consumer.call(owner, 'listOnboardingTasks', { path: { id } });
    const path = { path: { id, task_key: task.key } };
    for (const use of ['completeOnboardingTask', 'deleteOnboardingTask']) await consumer.call(owner, use, path);
    await consumer.call(owner, 'retrieveOnboardingProgress', { path: { id } });
  });

  it('are correct for the change history', async () => {
    const { id: resource } = await consumer.call(seller, 'createProduct');
    const [event] = await consumer.call(seller, 'listAuditEvents', { query: `?resource=${resource}` });
    await consumer.call(seller, 'retrieveAuditEvent', { path: { id: event.id } });
    await consumer.call(seller, 'retrieveResourceAsOfTime', { path: { id: resource } });
    await consumer.call(seller, 'listHistoryOfResource', { path: { id: resource } });
    await consumer.call(seller, 'retrieveWhatRequestCaused', { path: { id: event.correlation_id } });
  });

  it('are correct for audit exports', async () => {
    const { id } = await consumer.call(seller, 'createExport', { body: { types: [], resource: null } });
    const path = { path: { id } };
    await eventually(
      () => consumer.call(seller, 'retrieveExport', path),
      ({ status }) => status === 'completed',
    );
    await consumer.call(seller, 'downloadExport', path);
    await consumer.call(owner, 'listExports');
    await consumer.call(seller, 'retrieveChain');
    await consumer.call(seller, 'deleteExport', path);
  });

  it('belong to operations that leave an entry in the change history when they change something', async () => {
    const byRequest = Map.groupBy(await readWholeLog(service.get(EventStore)), ({ meta }) => meta.requestId);
    const leavesEntry = (ids: readonly string[]) => ids.some((id) => byRequest.get(id)?.some(hasEntry));
    const changing = description.operations.filter(({ method }) => method !== 'GET').map(({ name }) => name);

    expect(changing.length).toBeGreaterThan(50);
    expect(changing.filter((name) => !leavesEntry(consumer.writes.get(name) ?? []))).toEqual([]);
  });

  it('are checked for every operation', () => {
    expect(description.operations.map(({ name }) => name).filter((name) => !consumer.calls.has(name))).toEqual([]);
  });
});

describe('The documented webhooks', () => {
  it.each(['webhook.test', 'product.review_requested', 'cart.order.completed'])(
    'are correct for the request of %s, headers and body',
    async (type) => {
      const { post } = description.document.webhooks[type];
      const { id } = requireData(
        await seller.post('/v1/webhooks/endpoints', { url: receiver.url(`/${type}`), event_types: ['offer.sent'] }),
      );
      await seller.post(`/v1/webhooks/endpoints/${id}/test-events`, { event_type: type }, { 'idempotency-key': type });

      const [sent] = receiver.requestsFor(`/${type}`);
      expect(
        description.validate(JSON.parse(sent!.body), closeSchema(post.requestBody.content['application/json'].schema)),
      ).toEqual([]);
      const parameters: Json[] = post.parameters.map((one: Json) => description.resolve(one));
      for (const { name, schema } of parameters)
        expect([name, description.validate(sent!.headers[name.toLowerCase()], schema)]).toEqual([name, []]);
      const described = parameters.map(({ name }) => name.toLowerCase());
      expect(
        Object.keys(sent!.headers).filter((name) => /^(x-service|webhook)-/.test(name) && !described.includes(name)),
      ).toEqual([]);
    },
  );
});

describe('The documented problems', () => {
  const wrong = async (api: Api, operations = description.operations) =>
    (
      await Promise.all(operations.map(async (one) => [one.name, await consumer.checkProblem(api, one)] as const))
    ).filter(([, faults]) => faults.length > 0);

  it('are correct without a credential', async () => expect(await wrong(service.createApi())).toEqual([]));

  it('are correct for a read-only key that writes', async () => {
    const readOnly = service.createApi(
      await service.createKey(await service.createBusiness(), { access: 'read_only' }),
    );

    expect(
      await wrong(
        readOnly,
        description.operations.filter(({ method }) => method !== 'GET'),
      ),
    ).toEqual([]);
  });

  it('are correct for unknown ids', async () => {
    const withIds = description.operations.filter(({ path }) => path.includes('{'));
    for (const api of [seller, owner, reviewer]) expect(await wrong(api, withIds)).toEqual([]);
  });

  it('are correct for an unknown parameter', async () => {
    const strange = {
      ...seller,
      send: (method: string, path: string, body: unknown) => seller.send(method, `${path}?nobodys=1`, body),
    };

    expect(await wrong(strange as Api)).toEqual([]);
  });
});
