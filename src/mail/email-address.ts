import { isEmail } from 'class-validator';
import { hasInvisible } from '../kernel/text.js';

/** Returns whether the text is an e-mail address in which every character is visible. Its length is not checked. */
export function isEmailAddress(text: unknown): boolean {
  return isEmail(text) && !hasInvisible(text as string);
}
