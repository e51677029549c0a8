import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedOptions, type EmbeddedStores, openEmbedded } from '../../../src/stores/embedded/embedded.js';

/** Creates a folder before each test; after the test it closes the stores and removes the folder. */
export class Folder {
  path = '';
  private readonly opened: EmbeddedStores[] = [];

  static each(): Folder {
    const folder = new Folder();
    beforeEach(() => {
      folder.path = mkdtempSync(join(tmpdir(), 'embedded-'));
    });
    afterEach(async () => {
      await Promise.all(folder.opened.splice(0).map((stores) => stores.close()));
      rmSync(folder.path, { recursive: true });
    });
    return folder;
  }

  get file(): string {
    return join(this.path, 'store.sqlite');
  }

  async open(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedStores> {
    const stores = await openEmbedded({ file: this.file, ...options });
    this.opened.push(stores);
    return stores;
  }
}
