import type { Command } from 'commander';
import { readConfig, showSettings } from '../config.js';
import { table } from './table.js';
import { print, type Printing } from './toolbox.js';
import { command, group } from './usage.js';

export function configCommand(): Command {
  return group('config', 'check and print the configuration of this environment', 'config check', [
    command('check', 'check every variable; exit code 78 when one is wrong', 'config check --json').action(checkConfig),
    command('print', 'print every variable with its value or default; secrets stay hidden', 'config print').action(printConfig),
  ]);
}

function checkConfig({ json }: Printing): void {
  const { warnings } = readConfig(process.env);
  const lines = warnings.map((warning) => `warning: ${warning}`);
  print({ config: { valid: true, warnings } }, { json }, [...lines, 'the configuration is valid']);
}

function printConfig({ json }: Printing): void {
  const settings = showSettings(process.env);
  const rows = settings.map(({ name, value, is_default }) => [name, value ?? '-', is_default ? 'default' : 'environment']);
  print({ settings }, { json }, table(['name', 'value', 'from'], rows));
}
