import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import type { Feature } from '../feature.js';
import { projectionSkipsDecider } from './skips.js';

/** The events that operators make a projection skip. */
export const projectionFeature: Feature = {
  streams: [auditStream(projectionSkipsDecider, createAuditedResource('projection'))],
};
