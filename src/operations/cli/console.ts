import { spawn } from 'node:child_process';
import { type Command, Option } from 'commander';
import type { Config } from '../../config/config.js';
import { SystemClock } from '../../kernel/clock.js';
import { type Mode, MODES } from '../../kernel/event.js';
import { CliError, loadConfig, type OutputOptions, print } from './cli.js';
import { defineCommand, defineGroup } from './command-builder.js';
import { RemoteService } from './webhooks/remote-service.js';

/** The owner of the first business. */
const DEFAULT_SUBJECT = 'owner';
const LIFETIME_SECONDS = 3600;
const ANSWER_MS = 5_000;
const START_HINT = 'start the service with the same DATA_DIR, PORT and PUBLIC_URL, such as by npm start';
const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open' };

interface OpenOptions extends OutputOptions {
  readonly sub: string;
  readonly reviewer?: boolean;
  readonly mode: Mode;
}

export function defineConsoleCommand(): Command {
  const example = 'console open';
  const open = defineCommand('open', 'open the console in the browser, signed in for one hour', example)
    .option('--sub <sub>', 'subject (sub) of the user', DEFAULT_SUBJECT)
    .option('--reviewer', 'let the user approve and deny products')
    .addOption(new Option('--mode <mode>', 'mode that the console starts in').choices(MODES).default('live'))
    .action(openConsole);
  return defineGroup('console', 'open the console of a service on this machine', example, [open]);
}

/** The token is in the fragment of the address, which a browser never sends. */
async function openConsole({ sub, reviewer = false, mode, json }: OpenOptions): Promise<void> {
  const { DevelopmentTokens } = await import('../../identity/authentication/development-tokens.js');
  const config = loadConfig();
  if (!('development' in config.session.keys))
    throw new CliError('SESSION_JWKS is set: sign in at /console through the identity provider');
  const options = { subject: sub, email: null, reviewer, expiresInSeconds: LIFETIME_SECONDS };
  const token = await new DevelopmentTokens(config, new SystemClock()).sign(options);
  await requireService(config, token);
  const url = `${config.publicUrl}/console/#token=${token}&mode=${mode}`;
  print({ url }, { json }, [url]);
  if (!json && process.stdout.isTTY) openInBrowser(url);
}

/** This machine may reach only the local address of a service with a proxy. @throws CliError */
async function requireService({ publicUrl, host, port }: Config, token: string): Promise<void> {
  const urls = new Set([publicUrl, `http://${host}:${port}`]);
  await Promise.any([...urls].map((url) => new RemoteService(url, token).checkCredential(ANSWER_MS))).catch(
    ({ errors: [error] }: AggregateError) => {
      throw new CliError(`${(error as Error).message}: ${START_HINT}`);
    },
  );
}

/** A machine without a browser has the address on its terminal. */
function openInBrowser(url: string): void {
  const opener = OPENERS[process.platform];
  if (opener === undefined) return;
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
