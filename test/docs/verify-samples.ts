import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { patienceMs } from '../harness/patience.ts';

/** A delivery as its receiver got it. */
export type RealDelivery = { body: string; headers: Record<string, string>; secret: string; id: string };

type Language = {
  program: string;
  /** Of the sample, then of what calls it. */
  files: (sample: string) => Record<string, string>;
  command: string[];
};

/**
 * Each is handed the delivery twice, the second time with a byte changed, and prints the event's id and then `refused`. What
 * a sample has to offer: verify(body, headers, secret), which gives the event, and fails when it is not ours.
 */
const LANGUAGES: Record<string, Language> = {
  js: {
    program: process.execPath,
    // The SDK as it is in the repository; readers have built it.
    command: ['--conditions=dukkan-source', 'call.mjs'],
    files: (sample) => ({
      'sample.mjs': sample,
      'call.mjs': `
import { readFileSync } from 'node:fs';
import { verify } from './sample.mjs';
const { body, headers, secret } = JSON.parse(readFileSync('delivery.json', 'utf8'));
console.log((await verify(Buffer.from(body), headers, secret)).id);
try { await verify(Buffer.from(body.replace('{', '{ ')), headers, secret); } catch { console.log('refused'); }`,
    }),
  },
  python: {
    program: 'python3',
    command: ['call.py'],
    files: (sample) => ({
      'sample.py': sample,
      'call.py': `
import json
from sample import verify
given = json.load(open('delivery.json', encoding='utf-8'))
body = given['body'].encode()
print(verify(body, given['headers'], given['secret'])['id'])
try:
    verify(body.replace(b'{', b'{ ', 1), given['headers'], given['secret'])
except ValueError:
    print('refused')`,
    }),
  },
  php: {
    program: 'php',
    command: ['call.php'],
    files: (sample) => ({
      'sample.php': sample,
      'call.php': `<?php
require 'sample.php';
$given = json_decode(file_get_contents('delivery.json'), true);
echo verify($given['body'], $given['headers'], $given['secret'])['id'], "\\n";
try { verify(' ' . $given['body'], $given['headers'], $given['secret']); } catch (UnexpectedValueException) { echo "refused\\n"; }`,
    }),
  },
  go: {
    program: 'go',
    command: ['run', 'sample.go', 'call.go'],
    files: (sample) => ({
      'sample.go': sample,
      'call.go': `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	text, _ := os.ReadFile("delivery.json")
	var given struct {
		Body, Secret string
		Headers      map[string]string
	}
	if err := json.Unmarshal(text, &given); err != nil {
		panic(err)
	}
	header := http.Header{}
	for name, value := range given.Headers {
		header.Set(name, value)
	}
	event, err := Verify([]byte(given.Body), header, given.Secret)
	if err != nil {
		panic(err)
	}
	fmt.Println(event["id"])
	if _, err := Verify([]byte(" "+given.Body), header, given.Secret); err != nil {
		fmt.Println("refused")
	}
}`,
    }),
  },
};

/** What is wrong with a sample; `no program` where the machine cannot run its language. */
export async function sampleFault(
  language: string,
  sample: string,
  delivery: RealDelivery,
  folder: string,
): Promise<string | 'no program' | undefined> {
  const known = LANGUAGES[language];
  if (known === undefined) return `no way to run ${language}`;
  const isThere =
    spawnSync(known.program, [language === 'go' ? 'version' : '--version'], { stdio: 'ignore' }).status === 0;
  if (!isThere) return 'no program';
  const files = { ...known.files(sample), 'delivery.json': JSON.stringify(delivery) };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const { status, stdout, stderr } = spawnSync(known.program, known.command, {
    cwd: folder,
    encoding: 'utf8',
    timeout: patienceMs(),
  });
  if (status !== 0) return `ended with ${status}: ${stderr}`;
  return stdout === `${delivery.id}\nrefused\n` ? undefined : `said ${JSON.stringify(stdout)}`;
}
