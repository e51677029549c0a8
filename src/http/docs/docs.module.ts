import { Module } from '@nestjs/common';
import { AssetFiles } from './asset-files.js';
import { AssetsController } from './assets.controller.js';
import { GuidesController } from './guides.controller.js';
import { LlmsController } from './llms.controller.js';
import { ReferenceController } from './reference.controller.js';

@Module({
  controllers: [ReferenceController, GuidesController, AssetsController, LlmsController],
  providers: [AssetFiles],
})
export class DocsModule {}
