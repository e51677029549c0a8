import type { Command } from 'commander';
import { type OutputOptions, print } from './cli.js';
import { defineCommand, defineGroup } from './command-builder.js';
import { parseEmail } from './text-arguments.js';
import { withAdmin } from './with-admin.js';

interface ForgetOptions extends OutputOptions {
  readonly email?: string;
  readonly user?: string;
  readonly endCharges?: boolean;
}

interface LinkOptions extends OutputOptions {
  readonly user: string;
  readonly to: string;
}

const LINK_EXAMPLE = 'subjects link --user usr_01h00000000000000000000001 --to usr_01h00000000000000000000000';
const LINK_HELP =
  'For a person with two accounts at the identity provider that have one e-mail address. It takes effect within 5 s. ' +
  'It is refused while the first user owns a business or is a member of a community, and while one of them is forgotten.';
const HELP =
  'It is refused while subscriptions, installments or payments may still charge the person. ' +
  'Within 5 s every process shows the names and e-mail addresses of this person as null. This cannot be undone. ' +
  'Who gives the address again afterwards is a new person, who can be erased again.';

export function defineSubjectsCommand(): Command {
  const example = 'subjects forget --email ann@example.com';
  const forget = defineCommand('forget', 'erase the name and e-mail address of a person permanently', example)
    .option('--email <address>', 'e-mail address of the person', parseEmail)
    .option('--user <id>', 'user whose e-mail addresses, also earlier and later ones, are erased')
    .option('--end-charges', 'end the subscriptions and installments of the person first, at once')
    .addHelpText('after', `\n${HELP}`)
    .action(forgetSubject);
  const link = defineCommand('link', 'make two users of one person one user', LINK_EXAMPLE)
    .requiredOption('--user <id>', 'user that signs in as the other one from now on')
    .requiredOption('--to <id>', 'user that stays')
    .addHelpText('after', `\n${LINK_HELP}`)
    .action(linkUsers);
  return defineGroup('subjects', 'erase personal data, and link users', example, [forget, link]);
}

async function linkUsers({ user, to, json }: LinkOptions): Promise<void> {
  await withAdmin((admin) => admin.linkUsers(user, to));
  print({ linked: { user, to } }, { json }, [`the sessions of ${user} are sessions of ${to} within 5 s`]);
}

async function forgetSubject(this: Command, { email, user, endCharges = false, json }: ForgetOptions): Promise<void> {
  if ((email === undefined) === (user === undefined))
    return this.error('error: name one person: use either --email or --user');
  const result = await withAdmin((admin) =>
    email !== undefined ? admin.forgetAddress(email, endCharges) : admin.forgetUser(user!, endCharges),
  );
  const person = email === undefined ? { user } : { email };
  const known =
    result.subject === null
      ? 'it has no e-mail address; each one that it verifies is forgotten'
      : `subject ${result.subject}`;
  print({ forgotten: { ...person, ...result } }, { json }, [
    `${email ?? user} ${result.now ? 'is forgotten' : 'was already forgotten'} (${known})`,
  ]);
}
