import type { Command } from 'commander';
import { checkConfig as readWarnings } from '../../config/config.js';
import type { Setting } from '../../config/settings.js';
import { SETTINGS } from '../../config/variables.js';
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
  const warnings = readWarnings(process.env);
  const lines = warnings.map((warning) => `warning: ${warning}`);
  print({ config: { valid: true, warnings } }, { json }, [...lines, 'the configuration is valid']);
}

function printConfig({ json }: OutputOptions): void {
  readWarnings(process.env);
  const settings = Object.entries(SETTINGS)
    .filter(([name, { forTests }]) => !forTests || process.env[name])
    .map(([name, setting]) => toEntry(name, setting));
  const rows = settings.map(({ name, value, is_default }) => [
    name,
    value ?? '-',
    is_default ? 'default' : 'environment',
  ]);
  print({ settings }, { json }, formatTable(['name', 'value', 'from'], rows));
}

function toEntry(name: string, { fallback, secret }: Setting<unknown>) {
  const given = process.env[name]?.trim() ?? '';
  const value = given === '' ? formatFallback(fallback) : secret && given !== fallback ? '(hidden)' : given;
  return { name, value, is_default: given === '' };
}

function formatFallback(fallback: unknown): string | null {
  if (fallback === null || typeof fallback === 'string') return fallback;
  return JSON.stringify(fallback).replaceAll(/[[\]"]/g, '');
}
