import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

type CallFrame = { functionName: string; url: string };
type Profile = {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  timeDeltas: number[];
};

const TOP = 20;
/** Start-up: loading modules, migrations, the first compilations. */
const DEFAULT_SKIPPED_SECONDS = 20;

/**
 * The functions with the most time of their own in the CPU profiles of a folder, in percent of the busy time. Usage:
 * `node scripts/run.mjs bench/profile/top.ts FOLDER [SECONDS TO SKIP]`
 */
const [folder, skipped] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder that `npm run bench ... --profile FOLDER` has filled');
const skippedUs = Number(skipped ?? DEFAULT_SKIPPED_SECONDS) * 1e6;
for (const file of await readdir(folder)) {
  if (!file.endsWith('.cpuprofile')) continue;
  const profile = JSON.parse(await readFile(path.join(folder, file), 'utf8')) as Profile;
  const { busyUs, byFunction } = selfTimes(profile, skippedUs);
  console.log(`${file}: busy for ${(busyUs / 1e6).toFixed(1)} s`);
  const top = [...byFunction].sort(([, one], [, other]) => other - one).slice(0, TOP);
  for (const [name, us] of top) console.log(`| ${((100 * us) / busyUs).toFixed(1)} % | ${name} |`);
}

function selfTimes({ nodes, samples, timeDeltas }: Profile, fromUs: number) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byFunction = new Map<string, number>();
  let busyUs = 0;
  let atUs = 0;
  for (const [index, id] of samples.entries()) {
    const us = timeDeltas[index] ?? 0;
    atUs += us;
    const frame = frames.get(id);
    if (atUs < fromUs || frame === undefined || frame.functionName === '(idle)') continue;
    busyUs += us;
    const name = `${frame.functionName || '(anonymous)'} ${placeOf(frame.url)}`.trim();
    byFunction.set(name, (byFunction.get(name) ?? 0) + us);
  }
  return { busyUs, byFunction };
}

function placeOf(url: string): string {
  const dependency = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  return dependency ?? /\/src\/(.+)$/.exec(url)?.[1] ?? url;
}
