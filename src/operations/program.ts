import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { embeddedFileOf } from '../config.js';
import { businessesCommand } from './businesses.js';
import { configCommand } from './config.js';
import { deadLettersCommand } from './dead-letters.js';
import { deliveriesCommand } from './deliveries.js';
import { eventsCommand } from './events.js';
import { jobsCommand } from './jobs.js';
import { keysCommand } from './keys.js';
import { projectionsCommand } from './projections.js';
import { distance } from '../settings.js';
import { storeCommand } from './store.js';
import { subjectsCommand } from './subjects.js';
import { tokensCommand } from './tokens.js';
import { remark, type Printing } from './toolbox.js';
import { helpAfter } from './usage.js';
import { webhooksCommand } from './webhooks.js';

const MAX_TYPING_ERRORS = 2;

/** Creates the program with all its commands. */
export function program(): Command {
  const ops = new Command('ops')
    .description('administer the service; works while it runs and while it is stopped')
    .addHelpText('after', helpAfter('projections list'))
    .addCommand(businessesCommand())
    .addCommand(keysCommand())
    .addCommand(tokensCommand())
    .addCommand(subjectsCommand())
    .addCommand(eventsCommand())
    .addCommand(webhooksCommand())
    .addCommand(deliveriesCommand())
    .addCommand(projectionsCommand())
    .addCommand(jobsCommand())
    .addCommand(deadLettersCommand())
    .addCommand(storeCommand())
    .addCommand(configCommand());
  every(ops, (command) => strict(command));
  announceNewStore(ops);
  return ops;
}

/** Reports that a command created a new store, because a mistyped DATA_DIR looks like an empty store. */
function announceNewStore(ops: Command): void {
  const file = embeddedFileOf(process.env);
  if (file === null) return;
  let isNew = false;
  ops.hook('preAction', () => void (isNew = !existsSync(file)));
  ops.hook('postAction', (_, action) => {
    const isMeant = action.parent?.name() === 'store' && action.name() !== 'doctor';
    if (isNew && !isMeant && !action.opts<Printing>().json && existsSync(file)) remark(`created a new store at ${file}`);
  });
}

function every(command: Command, change: (command: Command) => void): void {
  change(command);
  for (const inner of command.commands) every(inner, change);
}

/** Reports wrong usage in one line that names the mistake. A group without a command is wrong usage too. */
function strict(command: Command): void {
  command.exitOverride().configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll(/\s*\n\s*/g, ' ')}\n`) });
  if (command.commands.length === 0) return;
  command
    .helpCommand(true)
    .argument('[command]')
    .allowExcessArguments()
    // The error names the unknown command, and not the options after it.
    .allowUnknownOption()
    .action((word?: string) => {
      const names = command.commands.map((inner) => inner.name());
      const known = `available commands: ${names.join(', ')}`;
      if (word?.startsWith('-')) return command.error(`error: unknown option '${word}'`);
      if (word === undefined) return command.error(`error: missing command; ${known}`);
      const like = names.find((name) => distance(word, name) <= MAX_TYPING_ERRORS);
      return command.error(`error: unknown command '${word}'; ${like === undefined ? known : `did you mean ${like}? ${known}`}`);
    });
}
