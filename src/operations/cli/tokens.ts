import { type Command, InvalidArgumentError } from 'commander';
import { SystemClock } from '../../kernel/clock.js';
import { CliError, loadConfig, type OutputOptions, print } from './cli.js';
import { defineCommand, defineGroup } from './command-builder.js';
import { parseEmail, parseSubject } from './text-arguments.js';

const DEFAULT_LIFETIME_SECONDS = 3600;

interface SignOptions extends OutputOptions {
  readonly sub: string;
  readonly email?: string;
  readonly reviewer?: boolean;
  readonly expiresIn: number;
}

export function defineTokensCommand(): Command {
  const example = 'tokens sign --sub ann --email ann@example.com --expires-in 600 --json';
  const sign = defineCommand('sign', 'sign a session token with the development key pair', example)
    .requiredOption('--sub <sub>', 'subject (sub) of the user', parseSubject)
    .option('--email <email>', 'verified e-mail address of the user', parseEmail)
    .option('--reviewer', 'let the user approve and deny products')
    .option(
      '--expires-in <seconds>',
      'lifetime in seconds; a negative number makes an expired token',
      parseInteger,
      DEFAULT_LIFETIME_SECONDS,
    )
    .action(signToken);
  return defineGroup('tokens', 'sign session tokens for development', example, [sign]);
}

async function signToken({ sub, email, reviewer, expiresIn, json }: SignOptions): Promise<void> {
  const { DevelopmentTokens } = await import('../../identity/authentication/development-tokens.js');
  const config = loadConfig();
  if (!('development' in config.session.keys))
    throw new CliError('SESSION_JWKS is set: the identity provider signs the tokens');
  const options = { subject: sub, email: email ?? null, reviewer: reviewer ?? false, expiresInSeconds: expiresIn };
  const token = await new DevelopmentTokens(config, new SystemClock()).sign(options);
  print({ token }, { json }, [token]);
}

function parseInteger(text: string): number {
  if (!/^-?\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
