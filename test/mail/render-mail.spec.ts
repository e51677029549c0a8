import { renderMail } from '../../src/mail/render-mail.js';

describe('A rendered mail', () => {
  it('has the same text in plain and in escaped HTML', () =>
    expect(
      renderMail({
        to: 'ada@example.com',
        subject: 'An <b>offer</b>',
        paragraphs: ['Hello,', 'Glaze & kiln\nfor <you>'],
        link: { label: 'Open', url: 'https://example.com/?a="b"' },
        end: 'Goodbye.',
      }),
    ).toEqual({
      to: 'ada@example.com',
      subject: 'An <b>offer</b>',
      text: 'Hello,\n\nGlaze & kiln\nfor <you>\n\nOpen: https://example.com/?a="b"\n\nGoodbye.\n',
      html: [
        '<!doctype html>',
        '<html lang="en">',
        '<body>',
        '<p>Hello,</p>',
        '<p>Glaze &amp; kiln<br>for &lt;you></p>',
        '<p><a href="https://example.com/?a=&quot;b&quot;">Open</a></p>',
        '<p>Goodbye.</p>',
        '</body>',
        '</html>',
        '',
      ].join('\n'),
    }));
});
