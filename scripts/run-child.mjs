import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP'];
const PARENT_CHECK_MS = 200;
const firstParent = process.ppid;

/**
 * Runs a program in the foreground and resolves to its exit code, 128 + n after signal n as in a shell.
 * Each signal is passed on once: Ctrl-C reaches the child by way of the terminal as well, and npm sends its own copy,
 * which together would look like someone insisting.
 *
 * npm puts a shell between itself and us. A kill of npm ends that shell, but the shell passes nothing on; so under npm the
 * loss of our parent counts as SIGTERM. Elsewhere it does not: there it is only a terminal that someone has closed.
 *
 * `onOutput` receives the text of pipes in `stdio`, `onStart` the child process.
 */
export function runChild(program, args, { onOutput, onStart, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit', ...options });
    onStart?.(child);
    for (const pipe of [child.stdout, child.stderr]) pipe?.setEncoding('utf8').on('data', onOutput);
    const handlers = FORWARDED.map((signal) => {
      let sent = false;
      const forward = () => {
        if (sent) return;
        sent = true;
        child.kill(signal);
      };
      process.on(signal, forward);
      return [signal, forward];
    });
    const parentCheck = setInterval(() => {
      if (process.env.npm_lifecycle_event && process.ppid !== firstParent) process.emit('SIGTERM', 'SIGTERM');
    }, PARENT_CHECK_MS);
    const finish = (code) => {
      clearInterval(parentCheck);
      for (const [signal, forward] of handlers) process.removeListener(signal, forward);
      resolve(code);
    };
    child.on('error', (error) => {
      console.error(`Cannot run ${program}: ${error.message}`);
      finish(127);
    });
    // `close` comes after the end of the output in pipes. Where there are none it must not be waited for: it never comes
    // when this side has closed the channel of messages.
    child.on(onOutput ? 'close' : 'exit', (code, signal) => finish(signal ? 128 + constants.signals[signal] : code));
  });
}
