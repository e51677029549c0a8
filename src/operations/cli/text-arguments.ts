import { InvalidArgumentError } from 'commander';
import { hasDisplayControl, hasInvisible, isBlank, MAX_EMAIL_CHARACTERS } from '../../kernel/text.js';

const MAX_SUBJECT_CHARACTERS = 255;

/** Returns the parser of a name, with the rules of names over HTTP: trimmed, visible, of one line. */
export function createNameParser(maxCharacters: number): (text: string) => string {
  return (text) => {
    const name = text.trim();
    if (isBlank(name) || [...name].length > maxCharacters)
      throw new InvalidArgumentError(`It must have 1 to ${maxCharacters} characters and must not be blank.`);
    if (hasDisplayControl(name))
      throw new InvalidArgumentError('It must not contain control characters or text direction overrides.');
    return name;
  };
}

/** Parses the `sub` of an identity provider. @throws InvalidArgumentError */
export function parseSubject(text: string): string {
  if (isBlank(text) || hasDisplayControl(text) || text.length > MAX_SUBJECT_CHARACTERS)
    throw new InvalidArgumentError(`It must be a subject of 1 to ${MAX_SUBJECT_CHARACTERS} visible characters.`);
  return text;
}

/** Parses an e-mail address. @throws InvalidArgumentError */
export function parseEmail(text: string): string {
  const address = text.trim();
  if (!/^[^@]+@[^@]+$/.test(address) || hasInvisible(address) || address.length > MAX_EMAIL_CHARACTERS)
    throw new InvalidArgumentError('It must be an e-mail address.');
  return address;
}
