import { Keys } from '../../../engine/encryption/keys.js';
import { reseal, type ResealResult } from '../../../engine/encryption/reseal.js';
import { Vault } from '../../../kernel/vault.js';
import { type OutputOptions, print, printToStderr, withService } from '../cli.js';
import { Interrupted, runInterruptible } from '../interruption.js';

/**
 * Encrypts every entry of the vault with the current master key, so that earlier keys are no longer needed for the
 * vault.
 */
export async function resealStore({ json }: OutputOptions): Promise<void> {
  const done = await withService((service) => {
    const [vault, keys] = [service.get(Vault, { strict: false }), service.get(Keys, { strict: false })];
    const report = ({ resealed, unchanged }: ResealResult) => {
      if (!json) printToStderr(`checked ${resealed + unchanged} entries`);
    };
    return runInterruptible(async (signal) => {
      const result = await reseal(vault, keys, report, signal);
      if (signal.aborted) throw new Interrupted('stopped; run the same command again to continue from here');
      return result;
    });
  });
  print({ reseal: done }, { json }, [`${done.resealed} entries encrypted again, ${done.unchanged} unchanged`]);
}
