import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Config, readConfig, readWebhookConfig } from '../../../config/config.js';
import { type Mode, MODES } from '../../../kernel/event.js';
import { findUrlError } from '../../../webhooks/domain/endpoint-url.js';
import { EVERY_TYPE } from '../../../webhooks/domain/event-types.js';
import { findEventTypeErrors } from '../../../webhooks/event-catalogue.js';
import { loadConfig, type OutputOptions, printToStderr, withService } from '../cli.js';
import { defineCommand, defineGroup } from '../command-builder.js';
import { formatJsonLine, replaceControlCharacters } from '../format.js';
import { runInterruptible } from '../interruption.js';
import type { ForwardResult } from './event-forwarder.js';
import type { StreamListener } from './stream-listener.js';
import type { WebhookListener } from './webhook-listener.js';

const EXAMPLE = 'webhooks listen --forward-to localhost:4242/hooks --events product.approved,cart.order.completed';
/** The operator chose the receiver, so every address is allowed. */
const UNRESTRICTED = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '0.0.0.0/0,::/0' };
/** Text for an event that is not sent again. */
const END_LABELS: Readonly<Record<ForwardResult['status'], readonly string[]>> = {
  success: [],
  failed: ['not sent again'],
  abandoned: ['abandoned'],
};
const DEFAULT_SERVICE_URL = 'http://127.0.0.1:3000';
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

const WITHOUT_SERVICE =
  'no service runs on this store, so nothing is sent yet: start it, or set DATA_DIR (or EVENT_STORE and MONGODB_URL) to the store of the service';

interface ListenOptions extends OutputOptions {
  readonly forwardTo: string;
  readonly events: readonly string[];
  readonly business?: string;
  readonly mode?: Mode;
  readonly fromNow?: boolean;
}

interface RemoteOptions extends OutputOptions {
  readonly forwardTo: string;
  readonly events: readonly string[];
  readonly key: string;
  readonly url?: string;
  readonly after?: string;
}

export function defineWebhooksCommand(): Command {
  return defineGroup('webhooks', 'forward public events to a receiver on this machine', EXAMPLE, [
    defineCommand('listen', 'send new signed public events to a receiver until Ctrl-C', EXAMPLE)
      .requiredOption(
        '--forward-to <url>',
        'URL of the receiver; http:// is assumed without a scheme',
        parseReceiverUrl,
      )
      .addOption(
        new Option('--events <types>', 'only events of these types or prefixes such as community.*, comma-separated')
          .argParser((text) => text.split(',').map((type) => type.trim()))
          .default([EVERY_TYPE], 'all'),
      )
      .option('--business <id>', 'only events of this business')
      .addOption(new Option('--mode <mode>', 'only events of this mode').choices(MODES))
      .option('--from-now', 'start with new events instead of continuing after the last run for this receiver')
      .addOption(
        new Option('--key <key>', 'read the event stream of a service with this API key; needs no store').conflicts([
          'business',
          'mode',
          'fromNow',
        ]),
      )
      .addOption(
        new Option('--url <url>', `with --key: base URL of the service (default: "${DEFAULT_SERVICE_URL}")`).argParser(
          parseServiceUrl,
        ),
      )
      .option(
        '--after <event>',
        'with --key: start after the event with this id, or with all events (start), instead of now',
      )
      .action(async (options: ListenOptions & Partial<RemoteOptions>, command: Command) => {
        await checkEventTypes(options.events, command);
        const { key, url, after } = options;
        if (key !== undefined) return listenToStream({ ...options, key });
        if (url !== undefined || after !== undefined) command.error('error: --url and --after need --key');
        return listen(options);
      }),
  ]);
}

async function listen({ forwardTo, events, business, mode, fromNow = false, json }: ListenOptions): Promise<void> {
  const { createWebhookListener } = await import('./webhook-listener.js');
  const options = { url: forwardTo, eventTypes: events, business: business ?? null, mode: mode ?? null, fromNow };
  await withService(async (service) => {
    const listener = await createWebhookListener(service, options);
    printDocument({ listening: toDocument(listener) }, { json }, formatOpening(listener));
    if (!(await listener.hasService())) printToStderr(WITHOUT_SERVICE);
    await runInterruptible((signal) =>
      listener.run((result) => printDocument({ forwarded: result }, { json }, formatResult(result)), signal),
    );
  }, loadUnrestrictedConfig());
}

async function listenToStream({ forwardTo, events, key, url, after, json }: RemoteOptions): Promise<void> {
  const { StreamListener } = await import('./stream-listener.js');
  const serviceUrl = url ?? DEFAULT_SERVICE_URL;
  const options = { url: forwardTo, eventTypes: events, serviceUrl, key, after: after ?? null };
  const listener = await StreamListener.start(options, readWebhookConfig({ ...process.env, ...UNRESTRICTED }));
  printDocument({ listening: toStreamDocument(listener) }, { json }, formatStreamOpening(listener));
  await runInterruptible((signal) =>
    listener.run(
      (result) => printDocument({ forwarded: result }, { json }, formatResult(result)),
      printToStderr,
      signal,
    ),
  );
}

function loadUnrestrictedConfig(): Config {
  loadConfig();
  return readConfig({ ...process.env, ...UNRESTRICTED }).config;
}

/** Prints one line immediately; with `--json`, one document per line. */
function printDocument(document: object, { json }: OutputOptions, line: string): void {
  console.log(json ? formatJsonLine(document) : replaceControlCharacters(line));
}

function toDocument({ options, secret, isResumed }: WebhookListener) {
  const { url, eventTypes, business, mode } = options;
  return { forward_to: url, event_types: eventTypes, business, mode, signing_secret: secret, goes_on: isResumed };
}

function toStreamDocument({ options, secret, business, mode }: StreamListener) {
  const { url, eventTypes, serviceUrl, after } = options;
  return {
    ...{ forward_to: url, event_types: eventTypes, business, mode, signing_secret: secret },
    goes_on: after !== null,
    service: serviceUrl,
  };
}

function formatStreamOpening({ options, secret, business, mode }: StreamListener): string {
  const { url, serviceUrl, after } = options;
  const start = after === null ? 'listening' : `continuing after ${after}`;
  return `${start}: sending events of ${business} (${mode}) from ${serviceUrl} to ${url}, signed with ${secret} (stop with Ctrl-C)`;
}

function formatOpening({ options, secret, isResumed }: WebhookListener): string {
  return `${isResumed ? 'continuing where the last run stopped' : 'listening'}: sending to ${options.url}, signed with ${secret} (stop with Ctrl-C)`;
}

function formatResult({
  at,
  response_status,
  reason,
  type,
  id,
  duration_ms,
  status,
  repeated_in_ms,
}: ForwardResult): string {
  const answer = response_status === null ? reason! : String(response_status);
  const time = duration_ms === null ? [] : [`${duration_ms} ms`];
  const end = repeated_in_ms === null ? END_LABELS[status] : [`sent again in ${repeated_in_ms / 1_000} s`];
  return [at, answer, type, id, ...time, ...end].join('  ');
}

function parseServiceUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('It must be an http or https URL such as https://api.example.com.');
  return text.replace(/\/+$/, '');
}

function parseReceiverUrl(text: string): string {
  const url = HAS_SCHEME.test(text) ? text : `http://${text}`;
  if (findUrlError(url) !== null)
    throw new InvalidArgumentError('It must be an http or https URL such as http://localhost:4242/hooks.');
  return new URL(url).href;
}

/** Loads all areas for it, because they declare the types. */
async function checkEventTypes(types: readonly string[], command: Command): Promise<void> {
  await import('../../../features.js');
  for (const some of [...types.map((type) => [type]), types]) {
    const [fault] = findEventTypeErrors(some);
    if (fault !== undefined)
      command.error(
        `error: option '--events <types>' argument '${types.join(',')}' is invalid. ${some.join(',')}: ${fault.detail}`,
      );
  }
}
