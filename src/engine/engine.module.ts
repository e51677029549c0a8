import { Global, Module } from '@nestjs/common';
import { Builds } from './builds/builds.js';
import { BuildOperator } from './builds/operator.js';
import { Engine } from './engine.js';
import { Waiters } from './following/waiters.js';
import { Presence } from './presence.js';
import { DeadLetterDesk } from './projecting/dead-letter-desk.js';
import { ListPageHandler, RetrieveHandler } from './reading/queries.js';
import { Views } from './reading/views.js';
import { Registry } from './registry.js';
import { Personal } from './sealing/personal.js';
import { Secrets } from './sealing/secrets.js';
import { StoreIdentity } from './store-identity.js';
import { Baselines } from './streams/baselines.js';
import { OwnedStreams } from './streams/owned-streams.js';
import { Streams } from './streams/streams.js';

const all = [
  Streams,
  OwnedStreams,
  Baselines,
  Views,
  Waiters,
  Builds,
  BuildOperator,
  DeadLetterDesk,
  Registry,
  Personal,
  Secrets,
  StoreIdentity,
  Engine,
  Presence,
];
const queries = [RetrieveHandler, ListPageHandler];

/** The module of the stores provides the ports, the clock, the random source and the process id. */
@Global()
@Module({ providers: [...all, ...queries], exports: all })
export class EngineModule {}
