import { type Command, InvalidArgumentError } from 'commander';
import { type OutputOptions, print } from './cli.js';
import { defineCommand, defineGroup } from './command-builder.js';
import { withAdmin } from './with-admin.js';

interface ForgetOptions extends OutputOptions {
  readonly email?: string;
  readonly user?: string;
}

const HELP =
  'Within 5 s every process shows the names and e-mail addresses of this person as null. This cannot be undone.';

export function defineSubjectsCommand(): Command {
  const example = 'subjects forget --email ann@example.com';
  const forget = defineCommand('forget', 'erase the name and e-mail address of a person permanently', example)
    .option('--email <address>', 'e-mail address of the person', parseEmail)
    .option('--user <id>', 'user whose e-mail address is erased')
    .addHelpText('after', `\n${HELP}`)
    .action(forgetSubject);
  return defineGroup('subjects', 'erase personal data', example, [forget]);
}

async function forgetSubject(this: Command, { email, user, json }: ForgetOptions): Promise<void> {
  if ((email === undefined) === (user === undefined))
    return this.error('error: name one person: use either --email or --user');
  const result = await withAdmin((admin) =>
    email !== undefined ? admin.forgetAddress(email) : admin.forgetUser(user!),
  );
  print({ forgotten: result }, { json }, [
    result.now ? `${result.subject} is forgotten` : `${result.subject} was already forgotten`,
  ]);
}

/** An address that is no address would be forgotten without an effect. @throws InvalidArgumentError */
function parseEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text.trim())) throw new InvalidArgumentError('It must be an e-mail address.');
  return text;
}
