/** A thread loads files as they are, without the test runner's transform: beside a source file stands its compiled twin in dist. */
export function compiledTwin(specifier: string, from: string): URL {
  const url = new URL(specifier, from);
  return from.endsWith('.ts') ? new URL(url.href.replace('/src/', '/dist/')) : url;
}
