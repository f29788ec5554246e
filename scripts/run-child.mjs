import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * Runs a program in the foreground and resolves to its exit code, 128 + n after signal n as in a shell.
 * Each signal is passed on once: Ctrl-C reaches the child by way of the terminal as well, and npm sends its own copy,
 * which together would look like someone insisting.
 */
export function runChild(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit', ...options });
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
    const finish = (code) => {
      for (const [signal, forward] of handlers) process.removeListener(signal, forward);
      resolve(code);
    };
    child.on('error', (error) => {
      console.error(`Cannot run ${program}: ${error.message}`);
      finish(127);
    });
    child.on('exit', (code, signal) => finish(signal ? 128 + constants.signals[signal] : code));
  });
}
