// Installs the dependencies when node_modules is missing or stale. Safe to call from several processes at once.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { acquireInstallLock } from './install-lock.mjs';
import { canBeAddedTo, hasTools, isStale, markInstalled, nodeWorks } from './is-stale.mjs';
import { nodeProgram, root } from './project.mjs';
import { ADDRESS_OPTION, withAddresses } from './with-addresses.mjs';

const OLDEST_NODE = 20;

/**
 * Resolves to 0 when everything is in place, otherwise to the exit code to leave with; what went wrong is already printed. The scope `serve` leaves
 * out the packages that only tests need, two thirds of all.
 */
export async function installWhenStale(scope = 'all') {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    console.error(`Dukkan needs Node ${OLDEST_NODE} or newer to install itself; this is ${process.version}`);
    return 1;
  }
  let waited = false;
  while (isStale(scope)) {
    const release = await acquireInstallLock(() => {
      if (!waited) console.error('Waiting for another process that is installing the dependencies');
      waited = true;
    });
    // The other process may have failed, so check again.
    if (!release) continue;
    try {
      if (isStale(scope)) return await install(scope);
    } finally {
      release();
    }
  }
  return 0;
}

async function install(scope) {
  // Who has the tools keeps them: the editor finds types there.
  const wanted = hasTools() ? 'all' : scope;
  // `npm ci` replaces node_modules, under a service that may be running; `npm install` adds what is missing.
  const isAddition = wanted === 'all' && canBeAddedTo();
  console.error(sayWhat(wanted, isAddition));
  const command = isAddition ? 'install' : 'ci';
  const { code, output } = await withAddresses(() =>
    runNpm([
      ...(isAddition ? ['install', '--no-save'] : ['ci']),
      // Whatever the host's npm settings leave out: the tests need the tools, the embedded database is an optional package.
      ...['--include=prod', '--include=optional', wanted === 'all' ? '--include=dev' : '--omit=dev'],
      // Only errors: on a Node older than some tools want, npm warns about engines, although they run on the Node it installs.
      ...['--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier'],
      ADDRESS_OPTION,
    ]),
  );
  if (code !== 0) {
    console.error(output.trimEnd());
    console.error(`npm ${command} failed with code ${code}`);
    return code;
  }
  if (!nodeWorks()) {
    if (output.trim() !== '') console.error(output.trimEnd());
    console.error(
      `The dependencies are installed, but ${nodeProgram} does not run: the package "node" fetches it in an install script. ` +
        'If your npm is set to ignore install scripts, allow them and try again: npm ci --ignore-scripts=false',
    );
    return 1;
  }
  markInstalled(wanted);
  return 0;
}

function sayWhat(wanted, isAddition) {
  if (isAddition) return 'Installing the packages of the tests: about half a minute, and only when they changed';
  const duration =
    wanted === 'all' ? 'about a minute (several on a busy machine)' : 'about half a minute (more on a busy machine)';
  return `Installing dependencies: ${duration}, and only when they changed`;
}

/** npm has to run on the host's Node: the one in node_modules is removed by the very install it would be running. */
function runNpm(args) {
  const hostNode = [process.env.npm_node_execpath, process.execPath].find(
    (path) => path && existsSync(path) && !isOurs(path),
  );
  const hostPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => !isOurs(folder));
  if (hostNode) hostPath.unshift(dirname(hostNode));
  const npmScript = process.env.npm_execpath;
  const direct = hostNode && npmScript?.endsWith('npm-cli.js') && existsSync(npmScript);
  const [program, first] = direct ? [hostNode, [npmScript]] : ['npm', []];
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(program, [...first, ...args], {
      cwd: root,
      env: { ...process.env, PATH: hostPath.join(delimiter) },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && !direct,
    });
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
    let isStopped = false;
    const stop = (signal) => {
      isStopped = true;
      child.kill(signal);
    };
    for (const signal of signals) process.on(signal, stop);
    const finish = (code) => {
      for (const signal of signals) process.removeListener(signal, stop);
      resolve({ code, output, isStopped });
    };
    const collect = (text) => {
      output += text;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.on('error', (error) => {
      output += `Cannot run npm: ${error.message}`;
      finish(127);
    });
    child.on('close', (code) => finish(code ?? 1));
  });
}

function isOurs(path) {
  const ours = join(root, 'node_modules') + sep;
  return path.startsWith(ours) || (existsSync(path) && realpathSync(path).startsWith(ours));
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = await installWhenStale();
}
