import { InvalidArgumentError, Option, type Command } from 'commander';
import { readConfig, type Config } from '../config.js';
import type { Mode } from '../kernel/event.js';
import { faultInForm } from '../webhooks/domain/endpoint-url.js';
import { EVERY_TYPE, faultsInEventTypes } from '../webhooks/domain/event-types.js';
import { interruptible } from './interruption.js';
import { oneLine } from './table.js';
import { configured, withService, type Printing } from './toolbox.js';
import { command, group } from './usage.js';
import type { Forwarded, Forwarding } from './webhooks-forwarding.js';

const EXAMPLE = 'webhooks listen --forward-to localhost:4242/hooks --events product.approved,cart.order.completed';
/** The operator chose the receiver, so every address is allowed. */
const ANYWHERE = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '0.0.0.0/0,::/0' };
/** Text for an event that is not sent again. */
const ENDS: Readonly<Record<Forwarded['status'], readonly string[]>> = {
  success: [],
  failed: ['not sent again'],
  abandoned: ['abandoned'],
};
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

interface Listen extends Printing {
  readonly forwardTo: string;
  readonly events: readonly string[];
  readonly business?: string;
  readonly mode?: Mode;
  readonly fromNow?: boolean;
}

export function webhooksCommand(): Command {
  return group('webhooks', 'forward public events to a receiver on this machine', EXAMPLE, [
    command('listen', 'send new signed public events to a receiver until Ctrl-C', EXAMPLE)
      .requiredOption('--forward-to <url>', 'URL of the receiver; http:// is assumed without a scheme', receiverUrl)
      .addOption(
        new Option('--events <types>', 'only events of these types, comma-separated').argParser(eventTypes).default([EVERY_TYPE], 'all'),
      )
      .option('--business <id>', 'only events of this business')
      .addOption(new Option('--mode <mode>', 'only events of this mode').choices(['live', 'test']))
      .option('--from-now', 'start with new events instead of continuing after the last run for this receiver')
      .action(listen),
  ]);
}

async function listen({ forwardTo, events, business, mode, fromNow = false, json }: Listen): Promise<void> {
  const { forwardingOf } = await import('./webhooks-forwarding.js');
  const wish = { url: forwardTo, eventTypes: events, business: business ?? null, mode: mode ?? null, fromNow };
  await withService(async (service) => {
    const forwarding = await forwardingOf(service, wish);
    say({ listening: documentOf(forwarding) }, { json }, openingLine(forwarding));
    await interruptible((signal) => forwarding.run((told) => say({ forwarded: told }, { json }, lineOf(told)), signal));
  }, reachingAnywhere());
}

function reachingAnywhere(): Config {
  configured();
  return readConfig({ ...process.env, ...ANYWHERE }).config;
}

/** Prints one line immediately; with `--json`, one document per line. */
function say(document: object, { json }: Printing, line: string): void {
  console.log(json ? oneLine(document) : line);
}

function documentOf({ wish, secret, goesOn }: Forwarding) {
  const { url, eventTypes, business, mode } = wish;
  return { forward_to: url, event_types: eventTypes, business, mode, signing_secret: secret, goes_on: goesOn };
}

function openingLine({ wish, secret, goesOn }: Forwarding): string {
  return `${goesOn ? 'continuing where the last run stopped' : 'listening'}: sending to ${wish.url}, signed with ${secret} (stop with Ctrl-C)`;
}

function lineOf({ at, response_status, reason, type, id, duration_ms, status, repeated_in_ms }: Forwarded): string {
  const answer = response_status === null ? reason! : String(response_status);
  const time = duration_ms === null ? [] : [`${duration_ms} ms`];
  const end = repeated_in_ms === null ? ENDS[status] : [`sent again in ${repeated_in_ms / 1_000} s`];
  return [at, answer, type, id, ...time, ...end].join('  ');
}

function receiverUrl(text: string): string {
  const url = HAS_SCHEME.test(text) ? text : `http://${text}`;
  if (faultInForm(url) !== null) throw new InvalidArgumentError('It must be an http or https URL such as http://localhost:4242/hooks.');
  return new URL(url).href;
}

function eventTypes(text: string): readonly string[] {
  const types = text.split(',').map((type) => type.trim());
  for (const some of [...types.map((type) => [type]), types]) {
    const [fault] = faultsInEventTypes(some);
    if (fault !== undefined) throw new InvalidArgumentError(`${some.join(',')}: ${fault.detail}`);
  }
  return types;
}
