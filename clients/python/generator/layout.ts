export const HEADER = '# Generated from the OpenAPI document by `npm run client`. Do not edit.\n';

const WIDTH = 120;
const KEYWORDS = new Set(
  [
    'False None True and as assert async await break class continue def del elif else except finally for from global if',
    'import in is lambda nonlocal not or pass raise return try while with yield',
  ].flatMap((line) => line.split(' ')),
);

/** Returns whether a text can be a name in Python. */
export function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text) && !KEYWORDS.has(text);
}

/** Appends `_` to a keyword, as Python code does. */
export function toName(text: string): string {
  return KEYWORDS.has(text) ? `${text}_` : text;
}

/** Returns a docstring of paragraphs, wrapped; empty for an empty text. */
export function writeDocstring(paragraphs: readonly string[], indent: string): string {
  const text = paragraphs.flatMap((each) => wrap(each, WIDTH - indent.length - 6)).join('\n');
  if (text === '') return '';
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', String.raw`\"\"\"`);
  const lines = escaped.split('\n');
  const end = lines.length > 1 ? `\n${indent}` : escaped.endsWith('"') ? ' ' : '';
  return `${indent}"""${lines.map((line, index) => (index === 0 || line === '' ? line : indent + line)).join('\n')}${end}"""\n`;
}

/** Wraps at spaces; keeps the indentation of the line for the lines that continue it. */
function wrap(text: string, width: number): string[] {
  const indent = /^ */.exec(text)![0];
  const lines: string[] = [];
  let line = '';
  for (const word of text.trim().split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > width - indent.length) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  const continued = indent === '' ? '' : `${indent}    `;
  return [...lines, line].map((each, index) => (each === '' ? '' : `${index === 0 ? indent : continued}${each}`));
}

/** Writes `opening(item, item)closing` on one line when it fits, and otherwise one item a line. */
export function writeItems(opening: string, items: readonly string[], closing: string, indent: string): string {
  const whole = `${indent}${opening}${items.join(', ')}${closing}`;
  if (whole.length <= WIDTH || items.length === 0) return whole;
  return `${indent}${opening}\n${items.map((item) => `${indent}    ${item},\n`).join('')}${indent}${closing}`;
}
