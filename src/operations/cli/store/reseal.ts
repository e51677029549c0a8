import { encryptAgain, type EncryptAgainResult } from '../../../engine/encryption/encrypt-again.js';
import { Keys } from '../../../engine/encryption/keys.js';
import { Vault } from '../../../kernel/vault.js';
import { type OutputOptions, print, printToStderr, withService } from '../cli.js';
import { Interrupted, runInterruptible } from '../interruption.js';

/**
 * Encrypts every entry of the vault with the current master key, so that earlier keys are no longer needed for the
 * vault.
 */
export async function resealStore({ json }: OutputOptions): Promise<void> {
  const { encrypted, unchanged } = await withService((service) => {
    const [vault, keys] = [service.get(Vault, { strict: false }), service.get(Keys, { strict: false })];
    const report = ({ encrypted, unchanged }: EncryptAgainResult) => {
      if (!json) printToStderr(`checked ${encrypted + unchanged} entries`);
    };
    return runInterruptible(async (signal) => {
      const result = await encryptAgain(vault, keys, report, signal);
      if (signal.aborted) throw new Interrupted('stopped; run the same command again to continue from here');
      return result;
    });
  });
  print({ reseal: { resealed: encrypted, unchanged } }, { json }, [
    `${encrypted} entries encrypted again, ${unchanged} unchanged`,
  ]);
}
