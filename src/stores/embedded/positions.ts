import type { Position } from '../../kernel/position.js';

const DIGITS = 16;

export function toPosition(row: number): Position {
  return String(row).padStart(DIGITS, '0');
}

export function toRowNumber(position: Position): number {
  return Number(position);
}
