/** The file with the cases. Each case is a line: the body in base64, the header, the secret, and the time in seconds. */
export const CASES = 'cases.tsv';

export interface Language {
  /** The word after the fence of its code in the guide. */
  readonly name: string;
  /** The program that the language needs. */
  readonly program: string;
  /** Another program, which the code calls. */
  readonly needs?: string;
  /** The arguments with which the program checks the cases. */
  readonly words: readonly string[];
  /** Returns the files: the code of the guide, and a program that prints true or false for each case. */
  readonly files: (code: string) => Readonly<Record<string, string>>;
}

/** The languages whose code in the guide is tested. */
export const LANGUAGES: readonly Language[] = [
  {
    name: 'ts',
    program: process.execPath,
    words: ['main.ts'],
    files: (code) => ({
      'signature.ts': code,
      'main.ts': `import { readFileSync } from 'node:fs';
import { isGenuine } from './signature.ts';
for (const line of readFileSync('${CASES}', 'utf8').trim().split('\\n')) {
  const [body, header, secret, now] = line.split('\\t');
  console.log(isGenuine(Buffer.from(body, 'base64'), header, secret, Number(now)));
}
`,
    }),
  },
  {
    name: 'python',
    program: 'python3',
    words: ['main.py'],
    files: (code) => ({
      'signature.py': code,
      'main.py': `import base64
from signature import is_genuine
for line in open("${CASES}").read().strip().split("\\n"):
    body, header, secret, now = line.split("\\t")
    print(str(is_genuine(base64.b64decode(body), header, secret, float(now))).lower())
`,
    }),
  },
  {
    name: 'go',
    program: 'go',
    words: ['run', 'signature.go', 'main.go'],
    files: (code) => ({
      'signature.go': code.replace('package webhook', 'package main'),
      'main.go': `package main

import ("encoding/base64"; "fmt"; "os"; "strconv"; "strings"; "time")

func main() {
	text, _ := os.ReadFile("${CASES}")
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\\n") {
		fields := strings.Split(line, "\\t")
		body, _ := base64.StdEncoding.DecodeString(fields[0])
		now, _ := strconv.ParseInt(fields[3], 10, 64)
		fmt.Println(IsGenuine(body, fields[1], fields[2], time.Unix(now, 0)))
	}
}
`,
    }),
  },
  {
    name: 'java',
    program: 'java',
    words: ['Main.java'],
    files: (code) => ({
      'Main.java': `${code
        .split('\n')
        .filter((line) => line.startsWith('import '))
        .join('\n')}
import java.nio.file.*;
import java.util.Base64;

class Main {
  public static void main(String[] words) throws Exception {
    for (String line : Files.readAllLines(Path.of("${CASES}"))) {
      String[] fields = line.split("\\t");
      Instant now = Instant.ofEpochSecond(Long.parseLong(fields[3]));
      System.out.println(Signature.isGenuine(Base64.getDecoder().decode(fields[0]), fields[1], fields[2], now));
    }
  }
}
${code
  .split('\n')
  .filter((line) => !line.startsWith('import '))
  .join('\n')}
`,
    }),
  },
  {
    name: 'php',
    program: 'php',
    words: ['main.php'],
    files: (code) => ({
      'signature.php': code,
      'main.php': `<?php
require 'signature.php';
foreach (file('${CASES}', FILE_IGNORE_NEW_LINES) as $line) {
    [$body, $header, $secret, $now] = explode("\\t", $line);
    echo isGenuine(base64_decode($body), $header, $secret, (int) $now) ? "true\\n" : "false\\n";
}
`,
    }),
  },
  {
    name: 'ruby',
    program: 'ruby',
    words: ['main.rb'],
    files: (code) => ({
      'signature.rb': code,
      'main.rb': `require_relative "signature"
File.readlines("${CASES}", chomp: true).each do |line|
  body, header, secret, now = line.split("\\t")
  puts genuine?(body.unpack1("m"), header, secret, now.to_f)
end
`,
    }),
  },
  {
    name: 'bash',
    program: 'bash',
    needs: 'openssl',
    words: ['main.sh'],
    files: (code) => ({
      'signature.sh': code,
      'main.sh': `. ./signature.sh
while IFS=$'\\t' read -r body header secret now; do
  printf '%s' "$body" | openssl base64 -d -A >body
  if is_genuine body "$header" "$secret" "$now"; then echo true; else echo false; fi
done <${CASES}
`,
    }),
  },
];
