import { readCsv, writeCsv } from '../../console/src/community/import/csv.ts';
import { decodeFile } from '../../console/src/community/import/decode-file.ts';
import { findTable, readRows } from '../../console/src/community/import/import-rows.ts';

const read = (text: string) => readRows(findTable(readCsv(text)));
const cellsOf = (text: string) => readCsv(text).records.map(({ cells }) => cells);
const membersOf = (text: string) => read(text).map(({ member }) => member);
const emailsOf = (text: string) => membersOf(text).map(({ email }) => email);
const mistakesOf = (text: string) => read(text).map(({ mistake }) => mistake);

describe('A file of comma-separated values', () => {
  it('loses no row by a quote inside a cell', () => {
    expect(emailsOf('name,email\nTV 12",ann@x.com\nTV 13",bob@x.com\nPlain,cy@x.com')).toEqual([
      'ann@x.com',
      'bob@x.com',
      'cy@x.com',
    ]);
    expect(cellsOf('email,name\no"neil@x.com,O"Neil')).toEqual([
      ['email', 'name'],
      ['o"neil@x.com', 'O"Neil'],
    ]);
  });

  it.each([
    ['"TV 12" wide,ann@x.com', [['"TV 12" wide', 'ann@x.com']]],
    [
      '"TV 12,ann@x.com\nB,bob@x.com',
      [
        ['"TV 12', 'ann@x.com'],
        ['B', 'bob@x.com'],
      ],
    ],
    ['"a, ""b""",ann@x.com', [['a, "b"', 'ann@x.com']]],
    ['"",ann@x.com', [['', 'ann@x.com']]],
    ['"two\nlines",ann@x.com', [['two\nlines', 'ann@x.com']]],
  ])('has quotes around whole cells only: %j', (text, cells) =>
    expect(cellsOf(`name,email\n${text}`).slice(1)).toEqual(cells),
  );

  it('reads no quote across rows when it would swallow them', () =>
    expect(emailsOf('name,email\n"A,ann@x.com\nB,bob@x.com\nC",cy@x.com\n')).toEqual([
      'ann@x.com',
      'bob@x.com',
      'cy@x.com',
    ]));

  it.each(['\n', '\r\n', '\r'])('may end its lines with %j', (end) =>
    expect(emailsOf(['email', 'ann@x.com', '', 'bob@x.com', ''].join(end))).toEqual(['ann@x.com', 'bob@x.com']),
  );

  it.each([
    ['name;email;role\n"Doe; Ann";ann@x.com;moderator', ';'],
    ['name\temail\trole\nDoe, Ann\tann@x.com\tmoderator', '\t'],
    ['sep=;\r\nname;email;role\r\nDoe;ann@x.com;moderator', ';'],
    ['sep=|\nname|email|role\nDoe|ann@x.com|moderator', '|'],
    ['name,email,role\n"Doe, Ann",ann@x.com,moderator', ','],
  ])('may have another separator: %j', (text, separator) => {
    expect(readCsv(text).separator).toBe(separator);
    expect(membersOf(text)).toEqual([{ email: 'ann@x.com', role: 'moderator' }]);
  });

  it('has the lines of the file, with blank ones and those inside cells', () =>
    expect(read('email,note\n\nann@x.com,"a\nb"\n,,\nbob@x.com,c').map(({ line }) => line)).toEqual([3, 6]));

  it('counts the line that names the separator', () =>
    expect(read('sep=;\nemail;role\nann@x.com;member').map(({ line }) => line)).toEqual([3]));

  it('is written so that it is read as the same cells', () => {
    const cells = [
      ['email', 'a "b"'],
      ['x,y', 'two\nlines'],
    ];
    expect(cellsOf(writeCsv(cells))).toEqual(cells);
  });

  it('has no rows when it is empty', () => expect(read('\n \n')).toEqual([]));
});

describe('The bytes of a file', () => {
  const utf8 = (text: string) => new Uint8Array(Buffer.from(text));

  it.each([
    ['UTF-8', utf8('email\njosé@x.com')],
    ['UTF-8', utf8('\ufeffemail\njosé@x.com')],
    ['Windows-1252', new Uint8Array(Buffer.from('email\njosé@x.com', 'latin1'))],
    ['UTF-16', new Uint8Array(Buffer.from('\ufeffemail\njosé@x.com', 'utf16le'))],
    ['UTF-16', new Uint8Array(Buffer.from('email\njosé@x.com', 'utf16le'))],
    ['UTF-16', new Uint8Array(Buffer.from('\ufeffemail\njosé@x.com', 'utf16le').swap16())],
  ] as const)('are read as %s', (encoding, bytes) =>
    expect(decodeFile(bytes)).toEqual({ text: 'email\njosé@x.com', encoding }),
  );
});

describe('The columns of a file', () => {
  it.each(['email', 'E-Mail', 'Email Address', 'E-mail 1 - Value', 'Member_Email', ' MAIL ', 'E-Mail-Adresse'])(
    'have the addresses under the name %s',
    (name) => expect(membersOf(`Name,${name},Level\nAnn,ann@x.com,3`)).toEqual([{ email: 'ann@x.com', level: 3 }]),
  );

  it('have no addresses until one is chosen, when no name is known', () => {
    const table = findTable(readCsv('Name,Contact\nAnn,ann@x.com'));

    expect(table).toMatchObject({ header: ['Name', 'Contact'], columns: { email: null } });
    expect(readRows({ ...table, columns: { ...table.columns, email: 1 } })).toMatchObject([
      { member: { email: 'ann@x.com' }, mistake: null },
    ]);
  });

  it('need no names when the first line has an address', () =>
    expect(emailsOf('Ann,ann@x.com\nBob,bob@x.com')).toEqual(['ann@x.com', 'bob@x.com']));
});

describe('A row of a file', () => {
  it.each(['0', '101', '1e23', '1.5', '-1', 'VIP', '٣'])('has no level %s, and is sent with it as it is', (level) => {
    const [row] = read(`email,level\nann@x.com,${level}`);
    expect(row!.mistake).toBe('The level is a whole number from 1 to 100.');
    expect([level, String(Number(level))]).toContain(String(row!.member['level']));
  });

  it.each(['-1', '1.5', '1000001', '1,200', 'many'])(
    'has no points %s, and is sent with them as they are',
    (points) => {
      const [row] = read(`email;points\nann@x.com;${points}`);
      expect(row!.mistake).toBe('The points are a whole number from 0 to 1000000.');
      expect(String(row!.member['points'])).toBe(points);
    },
  );

  it('has the points of its column, also none', () =>
    expect(membersOf('email,Total points\nann@x.com,1200\nbob@x.com,0\ncy@x.com,')).toEqual([
      { email: 'ann@x.com', points: 1200 },
      { email: 'bob@x.com', points: 0 },
      { email: 'cy@x.com' },
    ]));

  it('counts as the earlier one only without a mistake, as in the service', () =>
    expect(mistakesOf('email,role\nann@x.com,boss\nann@x.com,member\nANN@x.com,member')).toEqual([
      'The role is one of member, moderator.',
      null,
      'An earlier row has the same address.',
    ]));

  it.each([
    ['jose\u0301@x.com', 'josé@x.com'],
    ['x@bücher.example', 'x@xn--bcher-kva.example'],
  ])('has the address of an earlier row in another form: %s and %s', (one, other) =>
    expect(mistakesOf(`email\n${one}\n${other}`)).toEqual([null, 'An earlier row has the same address.']),
  );

  it.each(['z\u200bw@x.com', 'zw@x.com\u00ad', 'x@b\ufffdcher.example', 'a b@x.com', 'a@x', 'GDPR Person <a@x.com>'])(
    'has no address %j',
    (address) => expect(mistakesOf(`email\n${address}`)).toEqual(['The e-mail address is missing or wrong.']),
  );
});
