/** Matches what could end a header. */
const INVALID_VALUE = /[^\t\x20-\x7e]/;

/** Returns the bytes of a POST. @throws TypeError for a header value that is not printable ASCII */
export function encodePost(url: URL, headers: Readonly<Record<string, string>>, body: Buffer): Buffer {
  let head = `POST ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: keep-alive\r\n`;
  for (const [name, value] of Object.entries(headers)) {
    if (INVALID_VALUE.test(value)) throw new TypeError(`invalid value of the header ${name}`);
    head += `${name}: ${value}\r\n`;
  }
  head += `Content-Length: ${body.length}\r\n\r\n`;
  const message = Buffer.allocUnsafe(head.length + body.length);
  message.write(head, 'latin1');
  body.copy(message, head.length);
  return message;
}
