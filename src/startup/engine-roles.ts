import type { Config } from '../config/config.js';
import type { EngineRoles } from '../engine/engine.js';

/** Returns the parts of the engine that a process of this role runs beside the API. Every process serves reads. */
export function engineRolesFor(role: Config['role']): EngineRoles {
  switch (role) {
    case 'all':
      return { projections: true, reactors: true, workers: true };
    case 'api':
      return { projections: false, reactors: false, workers: false };
    case 'projector':
      return { projections: true, reactors: false, workers: false };
    case 'dispatcher':
      return { projections: false, reactors: true, workers: true };
  }
}
