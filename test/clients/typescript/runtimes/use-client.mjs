/**
 * Uses the client in one runtime and returns what happened. It imports nothing, so that it runs in every runtime.
 * @param client the module of the client
 * @param closedUrl an address at which nothing listens
 */
export async function useClient(client, { url, apiKey, closedUrl }) {
  const { createClient, createTestWebhook, isProblem, verifyWebhook } = client;
  const { commerce, webhooks } = createClient({ baseUrl: url, apiKey, appInfo: { name: 'matrix' } });
  const create = (name) => commerce.products.create({ name });
  const catchError = (call) => call.then(() => null).catch((error) => error);

  const product = await create('A course');
  const listed = await commerce.products.list({ per_page: 1 }).toArray({ limit: 10 });
  const rejected = await catchError(create(''));
  const unreachable = createClient({ baseUrl: closedUrl, apiKey, maxRetries: 0 });
  const failed = await catchError(unreachable.identity.caller.retrieve());
  return {
    call: listed.length === 1 && listed[0].id === product.id,
    problem: isProblem(rejected, 'validation_failed'),
    fault: failed.fault,
    verify: await verifyTestWebhook(createTestWebhook, verifyWebhook),
    stream: await readStream(webhooks.events, create),
  };
}

async function verifyTestWebhook(createTestWebhook, verifyWebhook) {
  const secret = `whsec_${btoa('s'.repeat(32))}`;
  const { body, headers } = await createTestWebhook({ type: 'webhook.test', data: {} }, secret);
  const { type } = await verifyWebhook(body, new Headers(headers), secret);
  const error = await verifyWebhook(`${body} `, headers, secret).catch(({ fault }) => fault);
  return type === 'webhook.test' && error === 'no_matching_signature';
}

/** Creates products as soon as the stream is open. Reads two events, and the second one again after a reconnection. */
async function readStream(events, create) {
  let created;
  const onResponse = () => {
    created ??= create('The first').then(() => create('The second'));
  };
  const stream = events.stream(undefined, { onResponse });
  const names = [];
  for await (const { data } of stream) if (names.push(data.name) === 2) break;
  for await (const { data } of stream) if (names.push(data.name) === 3) break;
  await created;
  return names.join() === 'The first,The second,The second';
}
