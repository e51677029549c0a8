import { Global, Module } from '@nestjs/common';
import { BuildOperator } from './builds/build-operator.js';
import { Builds } from './builds/builds.js';
import { Waiters } from './consumers/waiters.js';
import { PersonalFields } from './encryption/personal-fields.js';
import { Secrets } from './encryption/secrets.js';
import { Engine } from './engine.js';
import { ProcessRegistry } from './process-registry.js';
import { DeadLetterAdmin } from './projections/dead-letter-admin.js';
import { CountedStreams } from './read-models/counted-streams.js';
import { ListPageHandler, ListSliceHandler, RetrieveHandler } from './read-models/queries.js';
import { ReadModelReader } from './read-models/read-model-reader.js';
import { Registry } from './registry.js';
import { StoreIdentity } from './store-identity.js';
import { Baselines } from './streams/baselines.js';
import { EditHandler } from './streams/edit.js';
import { OwnedStreams } from './streams/owned-streams.js';
import { Streams } from './streams/streams.js';

const all = [
  Streams,
  CountedStreams,
  OwnedStreams,
  Baselines,
  ReadModelReader,
  Waiters,
  Builds,
  BuildOperator,
  DeadLetterAdmin,
  Registry,
  PersonalFields,
  Secrets,
  StoreIdentity,
  Engine,
  ProcessRegistry,
];
const handlers = [RetrieveHandler, ListPageHandler, ListSliceHandler, EditHandler];

/** The module of the stores provides the ports, the clock, the random source and the process id. */
@Global()
@Module({ providers: [...all, ...handlers], exports: all })
export class EngineModule {}
