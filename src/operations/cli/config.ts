import type { Command } from 'commander';
import { listSettings, readConfig } from '../../config.js';
import { type OutputOptions, print } from './cli.js';
import { defineCommand, defineGroup } from './command-builder.js';
import { formatTable } from './format.js';

export function defineConfigCommand(): Command {
  return defineGroup('config', 'check and print the configuration of this environment', 'config check', [
    defineCommand('check', 'check every variable; exit code 78 when one is wrong', 'config check --json').action(
      checkConfig,
    ),
    defineCommand(
      'print',
      'print every variable with its value or default; secrets stay hidden',
      'config print',
    ).action(printConfig),
  ]);
}

function checkConfig({ json }: OutputOptions): void {
  const { warnings } = readConfig(process.env);
  const lines = warnings.map((warning) => `warning: ${warning}`);
  print({ config: { valid: true, warnings } }, { json }, [...lines, 'the configuration is valid']);
}

function printConfig({ json }: OutputOptions): void {
  const settings = listSettings(process.env);
  const rows = settings.map(({ name, value, is_default }) => [
    name,
    value ?? '-',
    is_default ? 'default' : 'environment',
  ]);
  print({ settings }, { json }, formatTable(['name', 'value', 'from'], rows));
}
