import { existsSync } from 'node:fs';
import addCompletion from '@bomb.sh/tab/commander';
import { Command, Help, type Option } from 'commander';
import { findEmbeddedFile } from '../../config/config.js';
import { editDistance } from '../../config/settings.js';
import { VERSION } from '../../kernel/version.js';
import { defineAuditCommand } from './audit/audit.js';
import { defineBusinessesCommand } from './businesses.js';
import { type OutputOptions, printToStderr } from './cli.js';
import { formatHelpFooter } from './command-builder.js';
import { defineConfigCommand } from './config.js';
import { defineConsoleCommand } from './console.js';
import { defineEventsCommand } from './events/events.js';
import { defineJobsCommand } from './jobs.js';
import { defineKeysCommand } from './keys.js';
import { defineDeadLettersCommand } from './projections/dead-letters.js';
import { defineProjectionsCommand } from './projections/projections.js';
import { defineSeedCommand } from './seed.js';
import { defineStoreCommand } from './store/store.js';
import { defineSubjectsCommand } from './subjects.js';
import { defineTokensCommand } from './tokens.js';
import { defineDeliveriesCommand } from './webhooks/deliveries.js';
import { defineWebhooksCommand } from './webhooks/webhooks.js';

const MAX_TYPING_ERRORS = 2;

export function createProgram(): Command {
  const ops = new Command('ops')
    .description('administer the service; works while it runs and while it is stopped')
    .version(VERSION, '--version', 'print the version of the service')
    .addHelpText('after', formatHelpFooter('projections list'))
    .addCommand(defineBusinessesCommand())
    .addCommand(defineKeysCommand())
    .addCommand(defineTokensCommand())
    .addCommand(defineConsoleCommand())
    .addCommand(defineSubjectsCommand())
    .addCommand(defineEventsCommand())
    .addCommand(defineAuditCommand())
    .addCommand(defineWebhooksCommand())
    .addCommand(defineDeliveriesCommand())
    .addCommand(defineProjectionsCommand())
    .addCommand(defineJobsCommand())
    .addCommand(defineDeadLettersCommand())
    .addCommand(defineSeedCommand())
    .addCommand(defineStoreCommand())
    .addCommand(defineConfigCommand());
  forEachCommand(ops, (command) => rejectWrongUsage(command));
  announceNewStore(ops);
  defineCompletion(ops);
  return ops;
}

/** Adds `completion <shell>`, which prints a script, and a hidden command that the script calls. */
function defineCompletion(ops: Command): void {
  addCompletion(ops, { completionCommandName: 'completion' });
  ops.commands
    .find((command) => command.name() === 'completion')!
    .description('print a script that completes these commands in a shell')
    .addHelpText('after', formatHelpFooter('completion bash'));
}

/** Reports that a command created a new store, because a mistyped DATA_DIR looks like an empty store. */
function announceNewStore(ops: Command): void {
  const file = findEmbeddedFile(process.env);
  if (file === null) return;
  let isNew = false;
  ops.hook('preAction', () => void (isNew = !existsSync(file)));
  ops.hook('postAction', (_, action) => {
    const isMeant = action.parent?.name() === 'store' && action.name() !== 'doctor';
    if (isNew && !isMeant && !action.opts<OutputOptions>().json && existsSync(file))
      printToStderr(`created a new store at ${file}`);
  });
}

function forEachCommand(command: Command, change: (command: Command) => void): void {
  change(command);
  for (const inner of command.commands) forEachCommand(inner, change);
}

/** Adds to the help of a required option that it is required. */
function describeOption(this: Help, option: Option): string {
  return `${Help.prototype.optionDescription.call(this, option)}${option.mandatory ? ' (required)' : ''}`;
}

/** Returns what a missing option means, as the end of the error that names it. */
function explainMissing(text: string, { options }: Command): string {
  const missing = options.find(({ flags }) => text.includes(`required option '${flags}' not specified`));
  return missing === undefined ? '' : `: ${missing.description}`;
}

/** Reports wrong usage in one line that names the mistake. A group without a command is wrong usage too. */
function rejectWrongUsage(command: Command): void {
  command
    .exitOverride()
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({
      outputError: (text, write) =>
        write(`${text.trim().replaceAll(/\s*\n\s*/g, ' ')}${explainMissing(text, command)}\n`),
    });
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
      const similar = names.find((name) => editDistance(word, name) <= MAX_TYPING_ERRORS);
      return command.error(
        `error: unknown command '${word}'; ${similar === undefined ? known : `did you mean ${similar}? ${known}`}`,
      );
    });
}
