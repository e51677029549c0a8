import { spawn } from 'node:child_process';
import { type Command, Option } from 'commander';
import { SystemClock } from '../../kernel/clock.js';
import { type Mode, MODES } from '../../kernel/event.js';
import { CliError, loadConfig, type OutputOptions, print } from './cli.js';
import { defineCommand, defineGroup } from './command-builder.js';

/** The owner of the first business. */
const DEFAULT_SUBJECT = 'owner';
const LIFETIME_SECONDS = 3600;
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
  const url = `${config.publicUrl}/console/#token=${token}&mode=${mode}`;
  print({ url }, { json }, [url]);
  if (!json && process.stdout.isTTY) openInBrowser(url);
}

/** A machine without a browser has the address on its terminal. */
function openInBrowser(url: string): void {
  const opener = OPENERS[process.platform];
  if (opener === undefined) return;
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
