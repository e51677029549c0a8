import type { Position } from '../../kernel/position.js';

const DIGITS = 16;

export function positionOf(row: number): Position {
  return String(row).padStart(DIGITS, '0');
}

export function rowOf(position: Position): number {
  return Number(position);
}
