/** One record of a file. Its cells may contain line breaks. */
export interface CsvRecord {
  /** The line of the file on which the record begins; the first line is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvFile {
  readonly separator: string;
  /** The records that are not blank. */
  readonly records: readonly CsvRecord[];
}

const SEPARATORS = [',', ';', '\t'];
/** The first line of a file from Excel may name the separator. */
const SEPARATOR_LINE = /^sep=(.)[ \t]*(?:\r\n|\r|\n|$)/i;

/**
 * Reads comma-separated values. The separator may also be a semicolon or a tab, and a line may end with LF, CRLF or CR.
 * A quote that does not enclose a whole cell is a character of the cell, so that no row is lost.
 */
export function readCsv(text: string): CsvFile {
  const named = SEPARATOR_LINE.exec(text);
  const separator = named?.[1] ?? findSeparator(text);
  const records = new CsvReader(text, separator, named?.[0] ?? '').readRecords();
  return { separator, records: records.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')) };
}

/** Returns the separator that is most frequent in the first line with text, outside quotes. */
function findSeparator(text: string): string {
  const [line = ''] = /[^\r\n]*\S[^\r\n]*/.exec(text) ?? [];
  const plain = line.replace(/"(?:[^"]|"")*"/g, '');
  const count = (separator: string) => plain.split(separator).length - 1;
  return SEPARATORS.reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

class CsvReader {
  private position: number;
  private line: number;
  private width: number | null = null;
  /** Whether a cell of the present record has several lines. */
  private isSpread = false;
  private readonly text: string;
  private readonly separator: string;

  constructor(text: string, separator: string, skipped: string) {
    this.text = text;
    this.separator = separator;
    this.position = skipped.length;
    this.line = skipped === '' ? 1 : 2;
  }

  readRecords(): CsvRecord[] {
    const records: CsvRecord[] = [];
    while (this.position < this.text.length) {
      const [position, line] = [this.position, this.line];
      let cells = this.readRecord(true);
      if (this.isSpread && this.mayHideRecords(cells)) {
        [this.position, this.line] = [position, line];
        cells = this.readRecord(false);
      }
      this.width ??= cells.length;
      records.push({ line, cells });
    }
    return records;
  }

  /** Whether quotes that do not belong together have joined records: the lines between them look like records. */
  private mayHideRecords(cells: readonly string[]): boolean {
    const { width, separator } = this;
    const isRecord = (line: string) => line.includes('@') && line.split(separator).length === width;
    const hidesRecord = (cell: string) => /[\r\n]/.test(cell) && cell.split(/\r\n|\r|\n/).some(isRecord);
    return width !== null && (cells.length !== width || cells.some(hidesRecord));
  }

  /** @param areQuotesOpen whether a quote can enclose a cell; else every quote is a character */
  private readRecord(areQuotesOpen: boolean): string[] {
    const cells: string[] = [];
    this.isSpread = false;
    do {
      cells.push((areQuotesOpen ? this.readQuoted() : null) ?? this.readPlain());
    } while (this.skip(this.separator));
    this.skipLineEnd();
    return cells;
  }

  /** Reads a cell that quotes enclose. Returns null when no quote ends it: then the first quote is a character. */
  private readQuoted(): string | null {
    if (this.text[this.position] !== '"') return null;
    for (let end = this.text.indexOf('"', this.position + 1); end >= 0; end = this.text.indexOf('"', end + 2)) {
      if (this.text[end + 1] === '"') continue;
      if (!this.isCellEnd(end + 1)) return null;
      const cell = this.text.slice(this.position + 1, end);
      const breaks = cell.match(/\r\n|\r|\n/g)?.length ?? 0;
      this.line += breaks;
      this.isSpread ||= breaks > 0;
      this.position = end + 1;
      return cell.replaceAll('""', '"');
    }
    return null;
  }

  private readPlain(): string {
    const start = this.position;
    while (!this.isCellEnd(this.position)) this.position++;
    return this.text.slice(start, this.position);
  }

  private isCellEnd(position: number): boolean {
    const next = this.text[position];
    return next === undefined || next === this.separator || next === '\n' || next === '\r';
  }

  private skip(character: string): boolean {
    if (this.text[this.position] !== character) return false;
    this.position++;
    return true;
  }

  private skipLineEnd(): void {
    const isReturn = this.skip('\r');
    if (!this.skip('\n') && !isReturn) return;
    this.line++;
  }
}

/** Writes comma-separated values as RFC 4180 describes them. */
export function writeCsv(records: readonly (readonly string[])[]): string {
  const quote = (cell: string) => (/["\r\n,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return records.map((cells) => `${cells.map(quote).join(',')}\r\n`).join('');
}
