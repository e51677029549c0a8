import { Module } from '@nestjs/common';
import { AssetFiles } from './asset-files.js';
import { AssetsController } from './assets.controller.js';
import { GuidesController } from './guides.controller.js';
import { ReferenceController } from './reference.controller.js';

/** The reference, the guides, and the files that the pages load. */
@Module({ controllers: [ReferenceController, GuidesController, AssetsController], providers: [AssetFiles] })
export class DocsModule {}
