import { DukkanError } from '../../sdk/src/index.ts';
import { ConfigError } from '../platform/config.ts';
import { Problem } from '../platform/http/problem.ts';

/** Operators read one line; the stack is for those who ask for it. */
export function explainError(error: unknown, { withStack }: { withStack: boolean }): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError) return `Setting: ${error.message}`;
  if (error instanceof Problem) return explainProblem(error);
  if (error instanceof DukkanError) return explainProblem({ message: error.message, details: error.details ?? {} });
  if ('syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo'))
    return explainListening(error);
  return withStack ? (error.stack ?? error.message) : error.message;
}

/** What a rule refuses it says to clients, in two parts. */
function explainProblem({ message, details }: Pick<Problem, 'message' | 'details'>): string {
  if (typeof details === 'string') return `${message}: ${details}`;
  const listed = Object.entries(details).map(
    ([name, detail]) => `${name} ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`,
  );
  return listed.length === 0 ? message : `${message}: ${listed.join('; ')}`;
}

function explainListening(error: Error & { code?: unknown }): string {
  if (error.code === 'EADDRINUSE') return `The port is taken (${error.message}). Set PORT to another.`;
  if (error.code === 'EACCES') return `This account may not use the port (${error.message}). Set PORT above 1023.`;
  return `The address cannot be listened on (${error.message}). Check HOST and PORT.`;
}
